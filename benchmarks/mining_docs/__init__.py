"""Cases mined from the documentation of packages of five languages."""
