"""The way of one request: which operation, from which seat, with what body, and the response."""
