"""Background jobs: tasks for the language model, and clean-up after the removal of users.

- The model summarizes memories and SmartThings capabilities, and classifies the risk of entities.
- The clean-up deactivates memories and routines (stored commands) of people without a user account.
  It deletes this data 30 days after SAGE observed the removal of the user.
"""
