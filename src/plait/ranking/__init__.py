"""Ranking: files in the order a person would want them, by named signals that add up."""
