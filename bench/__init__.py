"""Measurements that say what the guardrails cost; `python -m bench` prints them. No test reads them."""
