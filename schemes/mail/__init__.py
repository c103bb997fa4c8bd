"""Mail and news."""
