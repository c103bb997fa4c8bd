"""Finds the handler of a scheme, and what the handler says that a URL means."""
