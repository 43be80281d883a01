"""The paper's evaluation, and the simulators that tests and the demo share."""
