"""Fetch: put public datasets where a run finds them, from their own homes or a local copy.

manifest  which datasets there are, where they live, what their files must be
convert*  raw files to the layout runs read
layout    is a folder such a layout?
install   all of it into the datasets folder, whole or not at all
"""

from plait.evaluation.fetch.places import datasets_folder, find_dataset

__all__ = ["datasets_folder", "find_dataset"]
