"""The floor in a browser: pages made on the server; `rights` says who may see and do what."""
