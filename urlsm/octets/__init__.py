"""Octets: their classes, text as octets and back, percent-coding, fields of a query, dot segments."""
