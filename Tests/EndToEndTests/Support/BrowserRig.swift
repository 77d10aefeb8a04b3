// SPDX-License-Identifier: MIT

import ControlProtocol
import TestSupport

/// A host with its page, and scripts of `Tests/Browser` that use the page in Chromium.
struct BrowserRig {
  let scratch: Scratch
  let host: HostProcess
  private let port: Int

  /// Starts the host with two strips, `deck` and `toy`, for two routes.
  ///
  /// - Parameters:
  ///   - sources: Lines of further sources.
  ///   - mix: Lines of their mix.
  /// - Throws: ``TestFailure`` where the host does not start.
  init(sources: String = "", mix: String = "") async throws {
    scratch = try Scratch()
    port = try await SurfaceRig.freePort()
    let graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main:
          type: lineOut
          ports: [system:playback_1, system:playback_2]
          limiter: {ceiling: -1 dB, release: 50 ms}
        phones: {type: headphones, ports: [system:playback_3, system:playback_4]}
      sources:
        deck: {tone: {frequency: 440 Hz, level: -20 dB}}
        toy: {tone: {frequency: 480 Hz, level: -20 dB}}
      \(sources)
      mix:
        - {from: deck, to: main}
        - {from: toy, to: main}
        - {from: toy, to: phones}
      \(mix)
      controls:
        crossfader: {a: deck, b: toy, curve: equalPower, position: 0}
        cue: {to: phones, sources: [deck]}
      """,
      to: "page.yaml",
    )
    host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      arguments: ["--web", "\(port)"],
      in: scratch,
    )
    try await waitUntil("the host serves its page") { [host] in
      try await !host.status().surfaces.isEmpty
    }
  }

  /// Runs a script to its end.
  ///
  /// - Parameters:
  ///   - script: Its name in `Tests/Browser`.
  ///   - arguments: More of them.
  /// - Throws: ``TestFailure`` with the script's own message.
  func run(_ script: String, _ arguments: String...) async throws {
    let child = try Child(
      try python(),
      ["-B", Repository.path("Tests/Browser/\(script)")]
        + ["--url", "http://localhost:\(port)", "--pid", "\(host.child.pid)"]
        + ["--socket", "\(scratch.socketDirectory)/\(host.name).sock"] + arguments,
      in: scratch,
    )
    // Longer than any wait of a script.
    let end = try await child.waitForEnd(within: .seconds(170))
    guard end == .code(0) else { throw TestFailure("\(script): \(end)\n\(child.standardError)") }
  }

  /// The interpreter of the repository's own Python packages.
  private func python() throws -> String {
    let path = Repository.path(".venv/bin/python")
    // The path is a link to another program.
    guard (try? runProgram(path, ["-c", "import playwright"]).status) == 0 else {
      throw TestFailure(
        "\(path) has no playwright; 'scripts/test EndToEndTests.BrowserTests' installs it"
      )
    }
    return path
  }
}
