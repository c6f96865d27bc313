"""What runs when: the catalog of deployments, its registration, and the local stack of ``make ui``."""
