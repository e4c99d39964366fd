"""What a member sees of a table: the types, how they are built, and which of them an entry changes."""
