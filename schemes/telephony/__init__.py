"""Calls, text messages, and the servers that calls need."""
