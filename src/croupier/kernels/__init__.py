"""The only place where a rule is code.

Everything here is a plain function of integers, written in the part of Python that Numba compiles. `link.py` turns the
same source into plain Python, compiled CPU code or CUDA code. Nothing here imports the rest of the program.
"""
