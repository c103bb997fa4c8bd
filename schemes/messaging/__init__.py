"""Chat, queues and brokers."""
