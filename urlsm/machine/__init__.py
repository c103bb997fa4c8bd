"""The state machine: octets to spans, in any dialect, without the interpreter's lock."""
