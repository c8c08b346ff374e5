"""What visitors asked: grouped by meaning, what of it the site could not answer, and how the site is used."""
