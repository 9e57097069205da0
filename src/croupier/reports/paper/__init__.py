"""Reports of the floor in words, for pages and on paper."""
