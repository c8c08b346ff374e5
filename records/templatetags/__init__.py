"""Template tags of the record pages."""
