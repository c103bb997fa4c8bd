"""Names: they do not say where the thing that they name is fetched."""
