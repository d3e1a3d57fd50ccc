"""Loaders: every layout a dataset may have, each read by a module of its own."""
