"""The components of a text as each dialect sees them, as written."""
