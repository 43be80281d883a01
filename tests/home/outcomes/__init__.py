"""The recorded outcomes of a broad set of commands on both homes.

`test_recorded_outcomes.py` compares what each command of the corpus leads to with the record in
`entities.json` and `smartthings.json`: what the person was asked, what was sent, the outcomes, the
texts for the model and for the person, and what undo then does.

Record anew, then read the difference in git:

    SAGE_RECORD_OUTCOMES=1 .venv/bin/python -m pytest tests/home/outcomes
"""
