"""The components of software, and where they come from."""
