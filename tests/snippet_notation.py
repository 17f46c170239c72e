"""How facts write what the scripts beside this one ask for."""


def coordinate(offset):
    """Writes an offset, a number or a nested array, in the notation."""
    if isinstance(offset, list):
        return "(" + ",".join(map(coordinate, offset)) + ")"
    return str(offset)
