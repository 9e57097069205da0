"""A report in its forms: terminal, HTML, Markdown, paper, data."""
