"""Packages, ranges of their versions, repositories, and images of containers."""
