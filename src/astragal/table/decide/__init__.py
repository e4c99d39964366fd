"""Actions into events: one function for each action."""
