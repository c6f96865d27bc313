"""From recalled memories to prose, and rounds as text."""
