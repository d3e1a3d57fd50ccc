"""Symbols: a file into symbols, references and chunks."""
