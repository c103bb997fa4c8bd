"""Packages, version ranges, repositories, and container images."""
