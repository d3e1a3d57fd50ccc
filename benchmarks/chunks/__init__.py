"""Are chunks what a person would cut? Counted by rule, and drawn to be read."""
