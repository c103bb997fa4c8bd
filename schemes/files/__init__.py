"""Files on this and other machines."""
