"""Installs plait offline, as a user would, and tries what was installed."""
