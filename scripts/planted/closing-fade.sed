# planted: a step in the closing fade: routes that are asked to be silent count as silent
# tests: ^EndToEndTests\.EndingTests/.the end is a fade down to exact silence
# in: Sources/Host/Attachment/ClosingFade.swift
s/(moving\[\$0\.id\] == nil \|\| \$0\.gainDB) != -\.infinity/\1 == -.infinity/
