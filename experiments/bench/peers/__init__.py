"""Other libraries, a file each, in the optional extra `bench`: imported only inside their measurements, in processes of
their own. The engine that a measurement is given is ours; peers take no notice of it."""
