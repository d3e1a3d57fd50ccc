"""Attacks: everything a stranger can put before plait, tried, and what came of it."""
