"""Evaluation: is the ranking any good? It asks the read path questions whose answers are known."""
