"""Finds the handler for a scheme, and asks it what a URL means."""
