"""Questions: queues that are fair to askers, and processes that answer within a deadline and bounded memory."""
