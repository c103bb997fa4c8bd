"""Names, which do not tell where to fetch what they name."""
