"""A real OpenSearch for tests and benchmarks: installed, started, hurt and stopped.

``python -m tools.opensearch start`` runs nodes in the foreground; ``Cluster.start`` in
``nodes.py`` does the same from Python. Users run the official image or their own cluster
(see ``deploy/``). Linux only: processes are told apart by what ``/proc`` says of them.
"""
