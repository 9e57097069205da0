"""Play: the interpreter that runs a round over a log, and the table around it."""
