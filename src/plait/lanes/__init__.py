"""Lanes: the ways in which a chunk can be found."""
