"""Databases, by the URLs from which clients take their settings."""
