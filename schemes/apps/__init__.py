"""URLs that make an app do something, or give it a secret."""
