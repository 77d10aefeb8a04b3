// SPDX-License-Identifier: MIT

internal import SystemSupport

/// Installed and running JACK servers.
extension Machine {
  func servers() -> [Finding] { [installed(), library()] + running() }

  private func installed() -> Finding {
    let subject = "JACK servers installed"
    let found = ["jackd", "jackdbus", "pipewire", "pw-jack"].filter(hasProgram)
    guard found.isEmpty else { return .ok(subject, found.joined(separator: ", ")) }
    return .problem(
      subject,
      "none",
      cost: "no server can be started, and there is none to attach to",
      remedy: "sudo apt install jackd2",
    )
  }

  private func library() -> Finding {
    let subject = "libjack of this process"
    // A mapping's path begins with its first slash.
    let paths = lines("/proc/self/maps").compactMap { line in
      line.firstIndex(of: "/").map { line[$0...] }
    }
    guard let path = paths.first(where: { $0.contains("/libjack.so") }) else {
      return .problem(
        subject,
        "not loaded",
        cost: "no JACK server can be reached",
        remedy: "sudo apt install libjack-jackd2-0",
      )
    }
    let kind = path.contains("pipewire") ? "PipeWire's" : "JACK's own"
    return .ok(subject, "\(kind), \(path)")
  }

  // MARK: - Running servers

  private func running() -> [Finding] {
    let findings = processes().compactMap { server(pid: $0, arguments: commandLine(of: $0)) }
    return findings.isEmpty ? [.ok("JACK servers running", "none")] : findings
  }

  private func server(pid: Int32, arguments: [String]) -> Finding? {
    let program = arguments.first?.split(separator: "/").last ?? ""
    switch program {
    case "jackd", "jackdmp": return jackd(pid: pid, arguments: arguments)
    case "jackdbus": return .ok("jackdbus \(pid)", "running; its settings: `jack_control dp`")
    case "pipewire": return .ok("PipeWire \(pid)", "running; JACK programs use it under `pw-jack`")
    default: return nil
    }
  }

  private func jackd(pid: Int32, arguments: [String]) -> Finding {
    let subject = "jackd \(pid)"
    // Arguments after the driver's name are the driver's; -r and -S have another meaning there.
    let own = arguments.prefix { !$0.hasPrefix("-d") && $0 != "--driver" }
    if own.contains("-r") || own.contains("--no-realtime") {
      return .problem(
        subject,
        "without real-time priority",
        cost: "audio threads wait for every other program",
        remedy: "start it without -r",
      )
    }
    guard !own.contains("-S"), !own.contains("--sync") else { return .ok(subject, "synchronous") }
    return .advice(
      subject,
      "asynchronous",
      cost: "one period more from input to output than with -S",
      remedy: "start it with -S (synchronous), unless dropouts show that the period is needed",
    )
  }
}
