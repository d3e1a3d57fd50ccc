"""Real packages of registries, fetched to try plait on."""
