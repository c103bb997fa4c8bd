"""Names, which identify things without telling where to fetch them."""
