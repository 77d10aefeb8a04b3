# planted: no resume after an interruption: its end takes the right to resume from those who have it
# tests: ^SessionsTests\.INTTests/reactions
# in: Sources/Sessions/Tower/Tower+Interruptions.swift
s/^      if !shouldResume \{ (state\.sessions\[waiting\]\.interruption\?\.allowsResume = false) \}$/      if shouldResume { \1 }/
