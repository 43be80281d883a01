"""Runs: the processing of one command of one person, from the utterance to the final answer."""
