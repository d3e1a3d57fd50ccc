"""Tags: of 300 files that were read, how many carry the right ones, and at what cost?"""
