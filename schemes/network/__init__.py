"""Directories, terminals, things, and the lookups of the early internet."""
