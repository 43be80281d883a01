"""The page in the sidebar."""
