"""Splits a URL into components in a given dialect, as written: neither normalised nor decoded."""
