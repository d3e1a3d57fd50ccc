"""What every interface does with an index before and around a search."""
