"""Private: folders and files of ours that no other user of the machine reads or replaces."""
