"""``python -m astragal``."""

import sys

from astragal.cli.main import main

sys.exit(main())
