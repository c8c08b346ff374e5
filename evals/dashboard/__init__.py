"""What the owner reads of evaluation runs: pages of the admin, made on the server."""
