"""Background jobs: work for the language model, and clean-up after users are removed.

The model summarizes memories and SmartThings capabilities, and classifies the risk of entities. The
clean-up deactivates the data of absent users, and later deletes the data of removed users.
"""
