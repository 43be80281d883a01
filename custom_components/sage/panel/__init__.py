"""The sidebar panel: its registration, its websocket API and its built frontend."""
