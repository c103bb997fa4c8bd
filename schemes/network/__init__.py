"""Directories, terminals, devices (CoAP), sockets, and search services from the early internet."""
