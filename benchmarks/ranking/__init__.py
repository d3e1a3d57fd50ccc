"""What each signal of the file ranker is worth: its values over questions, fits and ablations."""
