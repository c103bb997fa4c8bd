"""URLs in documents."""
