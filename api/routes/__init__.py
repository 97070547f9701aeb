"""The HTTP resources, one module each."""
