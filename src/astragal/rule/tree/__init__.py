"""The three nodes of a rule, what they say and change, and the walk through a tree of them."""
