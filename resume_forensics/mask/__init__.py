"""The masking layer: raw text in, text that may be shown out."""
