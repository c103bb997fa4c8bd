"""URLs from which database clients read their settings."""
