"""Interfaces: the ways in. They translate; they decide nothing."""
