"""Sixty questions of a newcomer, over eight packages: is the right file first?"""
