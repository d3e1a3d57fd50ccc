"""Training: how the bundled static model is made, from package lists to pairs to weights.

No part of the installed package imports it; it is run from a checkout.
"""
