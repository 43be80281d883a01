"""The page in a browser: a real Home Assistant, a scripted model, tests in frontend/tests."""
