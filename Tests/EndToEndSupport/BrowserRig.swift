// SPDX-License-Identifier: MIT

import ControlProtocol
import Foundation
import TestSupport

/// A host with its page, and scripts of `Tests/Browser` that use the page in Chromium.
struct BrowserRig {
  /// The place of Chromium, and its way to the page.
  enum Place {
    /// On the host's machine.
    case here
    /// On the host's machine, over TLS.
    case encrypted
    /// On another machine.
    case away(SecondMachine)
  }

  let scratch: Scratch
  let host: HostProcess
  private let place: Place
  private let url: String

  /// Starts the host with two strips, `deck` and `toy`, for two routes.
  ///
  /// - Parameters:
  ///   - place: The place of Chromium.
  ///   - sources: Lines of further sources.
  ///   - mix: Lines of their mix.
  ///   - controls: A line of further controls.
  /// - Throws: ``TestFailure`` where the host does not start.
  init(
    _ place: Place = .here,
    sources: String = "",
    mix: String = "",
    controls: String = "",
  ) async throws {
    self.place = place
    scratch = try Scratch()
    var surfaces = ""
    var options = ["--web", "0"]
    switch place {
    case .here: break
    case .encrypted:
      try await Self.makeCertificate(in: scratch)
      surfaces = "surfaces: {web: {port: 0, certificate: page.crt, key: page.key}}"
      options = []
    case .away: options += ["--lan"]
    }
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
        \(controls)
      \(surfaces)
      """,
      to: "page.yaml",
    )
    host = try await HostProcess.running(
      graph: graph,
      server: try testServer().name,
      arguments: options,
      in: scratch,
    )
    var port: Int?
    try await waitUntil("the host serves its page") { [host] in
      let page = try await host.status().surfaces.first
      if let fault = page?.fault { throw TestFailure("the page is not served: \(fault)") }
      port = page?.port
      return port != nil
    }
    let name = if case .away(let machine) = place { machine.hostAddress } else { "localhost" }
    let scheme = if case .encrypted = place { "https" } else { "http" }
    url = "\(scheme)://\(name):\(port ?? 0)"
  }

  /// Runs a script to its end, and prints what it tells.
  ///
  /// - Parameters:
  ///   - script: Its name in `Tests/Browser`.
  ///   - arguments: More of them.
  ///   - meanwhile: Called again and again while the script runs.
  /// - Throws: ``TestFailure`` with the script's own message.
  func run(_ script: String, _ arguments: String..., meanwhile: () -> Void = {}) async throws {
    var words = [
      try await python(), "-B", Repository.path("Tests/Browser/\(script)"), "--url", url,
      "--pid", "\(host.child.pid)", "--socket", "\(scratch.socketDirectory)/\(host.name).sock",
    ]
    words += arguments
    if case .away(let machine) = place { words = machine.command(words) }
    let child = try Child(words[0], Array(words.dropFirst()), in: scratch)
    // Longer than any wait of a script.
    try await waitUntil("\(script) ends", within: .seconds(170), every: .milliseconds(20)) {
      meanwhile()
      return child.end != nil
    }
    guard child.end == .code(0) else {
      // In one line, which a summary of failures shows whole.
      let message = child.standardError.split(separator: "\n").joined(separator: "; ")
      throw TestFailure("\(script): \(String(describing: child.end)): \(message)")
    }
    print(child.standardOutput, terminator: "")
  }

  /// The interpreter of the repository's own Python packages.
  private func python() async throws -> String {
    let path = Repository.path(".venv/bin/python")
    // The path is a link to another program.
    guard (try? await runProgram(path, ["-c", "import playwright"]).status) == 0 else {
      throw TestFailure(
        "\(path) has no playwright; 'scripts/test EndToEndTests.BrowserTests' installs it"
      )
    }
    return path
  }

  /// Makes `page.crt` for localhost, and its key.
  private static func makeCertificate(in scratch: Scratch) async throws {
    let end = try await runProgram(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2",
        "-keyout", "\(scratch.path)/page.key", "-out", "\(scratch.path)/page.crt",
      ]
    )
    guard end.status == 0 else { throw TestFailure("openssl: \(end.errors)") }
  }
}
