"""Environments for learners: PettingZoo (`aec`), Gymnasium for one seat (`single_seat`), many at once (`vector`)."""
