"""Hurts a cluster of three nodes while it is used."""
