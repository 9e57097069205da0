"""The API `/api/v1`: one module for each topic; `rights` says who may call what."""
