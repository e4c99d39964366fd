"""Questions that need no table: odds, advice, comparisons, rolls. The command line and the server both ask here."""
