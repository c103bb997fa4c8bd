"""What named programs see in a URL, by name and release. Nothing of this room is loaded until it is asked for.

A module a family of programs; `programs` finds one by its name. A program reads a text by one function of its module,
written from the program's source. Where releases differ, the function asks for the number of the release.
"""
