"""Background jobs: tasks for the language model, and clean-up after the removal of users.

The model summarizes memories and SmartThings capabilities, and classifies the risk of entities. The
clean-up deactivates memories and routines (stored commands) of people who have no user account any
more. If SAGE observed the removal of the user, the clean-up deletes this data after 30 days.
"""
