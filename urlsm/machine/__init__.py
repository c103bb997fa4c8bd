"""The state machine: from octets to spans, in any dialect, without the interpreter's lock."""
