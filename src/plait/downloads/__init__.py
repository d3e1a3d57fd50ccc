"""Downloads: files from the network, whole and the right ones, or an error in words."""
