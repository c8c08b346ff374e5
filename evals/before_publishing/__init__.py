"""What publishing or withdrawing a record would change: golden cases asked before and after, and nothing published."""
