"""Finds the handler of a scheme, and what a URL means by its handler."""
