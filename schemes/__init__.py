"""What each scheme means."""
