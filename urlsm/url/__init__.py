"""From spans to a URL, by the URL Standard."""
