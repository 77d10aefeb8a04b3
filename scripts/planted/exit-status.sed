# planted: a wrong exit status: what a host refuses ends like a host that is not there
# tests: ^EndToEndTests\.CommandTests/.an unknown name is refused
# in: Sources/multiroute/Support/HostOption.swift
s/^      case \.refused: throw ExitCode\.badData$/      case .refused: throw ExitCode.unavailable/
