"""The rules: one structured record a hand, one scalar function a rule, one loop over games."""
