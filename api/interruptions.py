"""What ends a command before its time."""


class StartupError(Exception):
    """Something the operator has to put right before the service can start; the text is all they are shown."""


class Terminated(SystemExit):
    """SIGTERM as an exception, so that a private database is stopped on the way out."""
