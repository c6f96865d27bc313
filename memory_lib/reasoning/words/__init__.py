"""Vocabularies: closed classes and everyday words of both languages, and nothing that reads a sentence."""
