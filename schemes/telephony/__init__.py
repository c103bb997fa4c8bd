"""Calls, short messages, and the servers that calls need."""
