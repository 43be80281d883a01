"""Background jobs: work for the language model, and clean-up after the removal of users.

- The model summarizes memories, and classifies the risk of entities.
- Memories and routines (stored commands) of a removed user are deleted after 30 days.
"""
