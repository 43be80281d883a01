"""SAGE with the real SmartThings integration and a simulated cloud."""
