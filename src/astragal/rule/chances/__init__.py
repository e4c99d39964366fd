"""The chances of a tree: facts about results, their odds, and the worth of a choice."""
