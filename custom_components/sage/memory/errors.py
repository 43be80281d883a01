"""What can go wrong with a person's memory; no text of a memory is in any of these."""


class MemoryStoreError(Exception):
    """The memory of a person cannot be read or written."""


class ClosedError(MemoryStoreError):
    """The memory was closed or its person deleted."""


class CorruptFileError(MemoryStoreError):
    """The file is damaged; it can be set aside with `recover`."""


class NewerFileError(MemoryStoreError):
    """The file is of a newer version of SAGE; it was left as it is."""


class MemoryOffError(MemoryStoreError):
    """The person does not want anything to be remembered."""


class UnknownMemoryError(MemoryStoreError):
    """The person has no memory of that id."""


class ImportFormatError(MemoryStoreError):
    """What is to be imported is not an export; the text says where it differs."""
