"""What others see in a URL."""
