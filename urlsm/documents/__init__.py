"""Finds URLs in documents: in running text and in HTML."""
