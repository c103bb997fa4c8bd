"""What software is made of, and where it is from."""
