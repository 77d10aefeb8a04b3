// SPDX-License-Identifier: MIT

import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import TestSupport
import Testing

/// A host with MIDI controllers, and the commands as a user runs them.
struct ControllersRig {
  let scratch: Scratch
  let graph: String
  let server: String
  private(set) var host: HostProcess

  /// Starts a host.
  ///
  /// - Parameters:
  ///   - controllers: The graph's `controls.midi`.
  ///   - arguments: Further arguments of `run`.
  /// - Throws: ``TestFailure`` where the host does not start.
  init(_ controllers: String, arguments: [String] = []) async throws {
    scratch = try Scratch()
    server = try testServer().name
    graph = try scratch.write(
      """
      multiroute: 1
      routes:
        main: {type: lineOut, ports: [system:playback_1, system:playback_2]}
      sources:
        voice: {tone: {frequency: 480 Hz, level: -20 dB}}
        music: {tone: {frequency: 960 Hz, level: -20 dB}}
      mix:
        - {from: voice, to: main}
        - {from: music, to: main}
      controls:
        cue: {to: main}
        midi: \(controllers)
      """,
      to: "controllers.yaml",
    )
    host = try await HostProcess.running(
      graph: graph,
      server: server,
      arguments: arguments,
      in: scratch,
    )
  }

  /// Kills the host, and starts it anew.
  mutating func crash() async throws {
    host.child.send(SIGKILL)
    _ = try await host.child.waitForEnd()
    host = try await HostProcess.running(
      graph: graph,
      server: server,
      name: host.name,
      in: scratch,
    )
  }

  /// A slow move of a control over its whole way.
  static func sweep(_ status: UInt8, _ number: UInt8) -> [TimedMIDI] {
    (0...43).map { TimedMIDI(4_800 + $0 * 480, [status, number, UInt8(min(127, $0 * 3))]) }
  }

  func device(_ name: String, _ messages: [TimedMIDI] = []) throws -> MIDIDevice {
    try MIDIDevice(messages, name: name, isHardware: true, server: server)
  }

  /// Starts `multiroute learn`, and waits until it asks for a move.
  func learner(_ words: [String]) async throws -> Child {
    let learning = try Child(
      Multiroute.path(),
      ["learn", "--host", host.name] + words,
      environment: scratch.hostEnvironment,
      in: scratch,
    )
    try await waitUntil("learn asks for a move") {
      learning.standardError.contains("move a control")
    }
    return learning
  }

  /// Runs `multiroute learn`, moves a control when it asks for one, and gives the line that it prints.
  func learn(_ words: [String], moving device: MIDIDevice) async throws -> String {
    let learning = try await learner(words)
    device.start()
    let end = try await learning.waitForEnd(within: .seconds(40))
    guard end == .code(0) else { throw TestFailure(learning.standardError) }
    return learning.standardOutput.trimmingCharacters(in: .newlines)
  }

  /// Runs `multiroute controllers`.
  func controllers() async throws -> String {
    let listed = try await Multiroute.run("controllers", "--host", host.name, in: scratch)
    #expect(listed.end == .code(0))
    return listed.standardOutput
  }

  /// Whether `multiroute controllers` tells all of these.
  func controllers(have texts: String...) async throws -> Bool {
    let told = try await controllers()
    return texts.allSatisfy { told.contains($0) }
  }

  func value(_ path: String) async throws -> ParameterValue? {
    let control = try await host.control()
    let answer = try await control.call(GetParameters.self, .init(paths: [path]))
    await control.close()
    return answer.values.first?.value
  }
}
