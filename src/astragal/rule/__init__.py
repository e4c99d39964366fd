"""The three nodes of a rule and what can be done with a tree of them. This room knows no particular game."""
