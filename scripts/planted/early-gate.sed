# planted: a gate one cycle early: the strip is open while the direct connection is still there
# tests: ^HostTests\.GateSoundTests/.INT-1 a strip sounds from the very cycle
# in: Sources/Host/Engine/InputGate.swift
s/(scope\.connectionCount\(of: port\)) > (Int\(word >> Self\.portBits\))/\1 > 1 + \2/
