"""The wire to language models: requests, one vocabulary of events, and the clients that speak the two protocols."""
