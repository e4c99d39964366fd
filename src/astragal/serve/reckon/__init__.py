"""Reckoners: processes of low priority beside the server, in which large questions are answered."""
