"""URLs that tell database clients how to connect."""
