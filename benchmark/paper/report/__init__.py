"""The report of results: figures, charts and the analysis of failures, as in the paper."""
