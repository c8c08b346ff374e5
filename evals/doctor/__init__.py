"""What is configured, reachable and stale, and what to do about it. Looks only: it mends nothing."""
