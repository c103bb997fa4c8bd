"""Spans to a URL, by the URL Standard."""
