"""What the server shows the network, and what it refuses."""
