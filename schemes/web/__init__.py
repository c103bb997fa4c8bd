"""What browsers open."""
