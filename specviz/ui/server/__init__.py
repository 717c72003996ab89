"""Which requests the server accepts from the network."""
