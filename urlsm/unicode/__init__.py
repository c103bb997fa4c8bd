"""Domains by UTS 46, and the encodings of documents that are not UTF-8."""
