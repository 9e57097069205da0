"""Long computations, in processes beside the server."""
