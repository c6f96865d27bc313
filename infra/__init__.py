"""What stands around the product: servers to run it against, with Docker (compose.yaml) and without (infra.local)."""
