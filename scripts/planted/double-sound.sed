# planted: a double sound after adoption: only the first output leaves the hardware
# tests: ^HostTests\.HouseAdoptionTests/.a program is moved from the hardware to its strip
# in: Sources/Host/Adoption/StripMover.swift
s/^      for port in moving \{$/      for port in moving.prefix(1) {/
