"""What verbs do with a collection on a cluster, and ``store``."""
