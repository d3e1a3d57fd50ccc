"""The quality gate of CI: no change may rank worse than what is recorded here."""
