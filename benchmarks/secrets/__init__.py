"""Secrets: how many planted ones are masked, what is masked by mistake, and at what cost."""
