"""The process supervisor behind `make run` and `make test`: it starts, watches and stops programs, and
knows nothing of what the site does. Standard library only, so that it runs before anything is installed."""
