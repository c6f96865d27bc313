"""One thin task a file: a Prefect wrapper round one step of a plan. Runs from the repository or its image."""
