"""What is done to a collection as a whole: status, advice, copies and their return."""
