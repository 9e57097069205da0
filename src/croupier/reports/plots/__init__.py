"""Plots of wagers, simulations and meters."""
