"""Measures how well the speaker encoder of the models server tells people apart."""
