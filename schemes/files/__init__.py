"""Files, here and on other machines."""
