"""Names, which identify resources without saying where to fetch them."""
