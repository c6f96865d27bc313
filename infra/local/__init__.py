"""Real servers on this machine without Docker, for tests and for trying the production parts: ``python -m infra.local``.

Each runs on loopback on a free port, as a process of its own with a folder of its own, and is stopped by its own pid. Nothing
here is meant for a deployment: no passwords, small memory, and data that is removed when a server is stopped. Only the standard
library is imported.
"""
