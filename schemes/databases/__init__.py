"""Databases, by the URLs that clients take their settings from."""
