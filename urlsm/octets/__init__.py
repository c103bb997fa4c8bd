"""Octets: their classes, text as octets and back, percent-coding, encodings and IDNA."""
