"""Economy: how many tokens does an agent spend until it has found what it asked for?"""
