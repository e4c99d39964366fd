"""A store in a PostgreSQL database, for any number of servers. It needs the extra astragal[postgresql]."""
