"""URLs that make an app perform an action, or give it a secret."""
