"""Models: texts in, unit vectors out. Nothing here knows what a chunk or an index is."""
