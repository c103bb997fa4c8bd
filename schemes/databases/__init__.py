"""URLs from which clients of databases take their settings."""
