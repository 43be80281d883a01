"""The page in the sidebar: its registration, its websocket API and its built frontend."""
