"""URLs that browsers and media players open."""
