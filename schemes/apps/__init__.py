"""What programs are asked to do, and what they are told in secret."""
