# planted: a kept gain lost: a level is kept only where gain and mute have both changed
# tests: ^HostTests\.StateTests/.values that users changed are restored
# in: Sources/Host/Keeping/KeptState+Mix.swift
s/gainDB != graph\.gainDB \|\| isMuted != graph\.isMuted/gainDB != graph.gainDB \&\& isMuted != graph.isMuted/
