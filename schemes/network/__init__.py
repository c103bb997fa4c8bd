"""Directories, terminals, devices (CoAP), sockets, and the search services of the early internet."""
