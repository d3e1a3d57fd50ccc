"""What reads an index and what writes it; the parts arrive as arguments."""
