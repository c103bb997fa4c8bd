"""Object and file stores, addressed by bucket or container."""
