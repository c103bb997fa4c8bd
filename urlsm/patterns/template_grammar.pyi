FAULTS: tuple[tuple[str, str], ...]
