"""Who may come in: links, seats, the codes that stand for them, and the people who knock."""
