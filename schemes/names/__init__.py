"""Names: what they name is not fetched from the place that they say."""
