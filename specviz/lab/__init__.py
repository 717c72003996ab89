"""What does it cost? Races, sweeps and the machine, measured."""
