"""What a tree can come to: facts about results, their odds, and what a choice is worth."""
