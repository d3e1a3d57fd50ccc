"""Messages whose line is known, mined from packages, and how often it is found first."""
