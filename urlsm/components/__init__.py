"""Finds the components of a text by a dialect, as written: neither normalised nor decoded."""
