"""The games. Each folder is one game, whole; none knows of another."""
