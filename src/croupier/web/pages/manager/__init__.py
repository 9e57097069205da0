"""The game manager."""
