"""One HTTP request: its checks, its operation, its response; and the files of the page."""
