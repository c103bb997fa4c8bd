"""A URL as other readers see it: comparison, redirects, hazards."""
