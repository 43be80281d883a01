"""The paper's benchmark: cases in a real Home Assistant at a simulated SmartThings cloud."""
