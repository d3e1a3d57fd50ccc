"""Clustering: vectors into groups, groups into names, and both kept for the next time."""
