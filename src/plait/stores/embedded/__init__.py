"""The embedded store: an index in a folder, for one machine and no server."""
