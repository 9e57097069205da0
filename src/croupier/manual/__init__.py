"""The documentation: pages made from the program itself, and the site that shows them with the written ones."""
