"""Shared by several test files. conftest.py puts the folder above on the path."""
