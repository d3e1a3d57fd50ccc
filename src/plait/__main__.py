"""``python -m plait`` is ``plait``."""

from plait.interfaces.cli.main import run

if __name__ == "__main__":
    run()
