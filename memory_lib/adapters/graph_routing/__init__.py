"""One graph store in front of many: people spread over stores, and resting in sealed files (DESIGN §3; §4, Tiers)."""
