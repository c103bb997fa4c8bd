"""Stores of objects and files, by bucket or container."""
