"""The sandbox for condition code, which reaches Home Assistant only through given functions."""
