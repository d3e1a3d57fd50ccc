"""Packing: the lines of an answer that are worth most within a number of tokens."""
