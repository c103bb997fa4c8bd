"""URLs that make apps do something, and the secrets that they are given."""
