"""Tools of this repository: what its tests and benchmarks need and users do not install."""
