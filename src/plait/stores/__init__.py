"""Stores: where the index is kept, and how a reader sees one state of it."""
