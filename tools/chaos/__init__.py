"""Breaks an index in every way there is: killed writers, lost power, flipped bits, faults."""
