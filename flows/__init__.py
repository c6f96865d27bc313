"""One flow a file: a flow walks a plan of ``memory_lib.plans`` as Prefect tasks. Runs from the repository or its image."""
