"""Live checks: the site asks itself through its public entrance what it must refuse and what it must answer."""
