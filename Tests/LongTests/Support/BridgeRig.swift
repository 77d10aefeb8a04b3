// SPDX-License-Identifier: MIT

import AudioFiles
import Foundation
import Glibc
import JACK
import TestSupport

@testable import EndToEndSupport

/// A bridge between a JACK server and PipeWire's device with a steady tone through it, and two independent
/// clients of the same server: a player of noise, and a recorder.
final class BridgeRig {
  let card: PipeWireSession
  let bridge: BridgeProcess
  let isPlayback: Bool
  /// The far end of a driver that blocks while this is stopped; playback only.
  let drain: Child?
  private let scratch: Scratch
  private let tone: Player?
  private let sound: Child?
  private let noise: [Float]
  private let player: Player
  private let recorder: Recorder

  /// A second of a tone whose samples are never near zero for long.
  private static let tone = (0..<48_000).map { Float(0.5 * sin(2 * Double.pi * Double($0) / 100)) }

  /// Starts everything, and waits until sound passes.
  init(_ direction: String, seconds: Int = 60) async throws {
    let server = try testServer().name
    isPlayback = direction == "playback"
    scratch = try Scratch()
    card = try await PipeWireSession(channels: 4)
    try card.session.run(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "256"])
    drain = isPlayback ? try card.makeBlockingDevice(in: scratch) : nil
    bridge = try BridgeProcess(
      direction,
      server: server,
      on: card,
      in: scratch,
      device: isPlayback ? "blocking" : "pipewire",
    )
    noise = Signals.noise(40_009, seed: 7)
    player = try Player([noise], loops: true, server: server, name: "other")
    recorder = try Recorder(
      from: player.portNames,
      capacityFrames: seconds * 48_000,
      server: server,
      name: "other-recorder",
    )
    if isPlayback {
      sound = nil
      try await waitUntil("the bridge's ports are there") { [player] in
        try player.connection.ports(matching: "^usb:playback_").count == 2
      }
      tone = try Player(
        [Self.tone],
        loops: true,
        to: ["usb:playback_1"],
        server: server,
        name: "tone",
      )
      tone?.start()
    } else {
      tone = nil
      let minute = Array(repeating: Self.tone, count: 60).flatMap { $0 }
      let file = try scratch.write(
        [minute, minute],
        to: "tone.wav",
        format: .wavPCM16,
      )
      sound = try Child("pw-play", [file], environment: card.environment, in: scratch)
    }
    player.start()
    try await waitUntil("the noise plays") { [player] in player.firstFrame != nil }
    recorder.start()
    try await bridge.wait(for: "sound", \.hasSound)
  }

  deinit {
    drain?.send(SIGCONT)
    player.close()
    recorder.close()
    tone?.close()
    card.stop()
  }

  /// The connection of a client that the bridge does not know.
  var connection: ClientConnection { player.connection }

  /// Waits until the server has run for a number of frames.
  func pass(_ frames: Int) async throws { try await recorder.pass(frames) }

  /// Records the bridge's output while `body` runs.
  func heard(during body: () async throws -> Void) async throws -> [Float] {
    guard isPlayback else {
      let ear = try Recorder(
        from: ["usb:capture_1"],
        capacityFrames: 20 * 48_000,
        server: testServer().name,
        name: "ear",
      )
      defer { ear.close() }
      ear.start()
      try await waitUntil("it is recorded") { ear.capturedFrames > 4800 }
      try await body()
      return ear.captured.channels[0]
    }
    let file = "\(scratch.path)/heard-\(Scratch.number()).wav"
    let ear = try Child(
      "pw-record",
      ["-P", "{ stream.capture.sink = true }", "--rate", "48000", "--channels", "2", file],
      environment: card.environment,
      in: scratch,
    )
    try await waitUntil("it is recorded") {
      ((try? FileManager.default.attributesOfItem(atPath: file))?[.size] as? Int ?? 0) > 20_000
    }
    try await body()
    ear.send(SIGINT)
    _ = try await ear.waitForEnd()
    return try Signals.read(file)[0]
  }

  /// The silences of a recording between its first and its last sound, in frames.
  static func silences(in heard: [Float]) -> [Int] {
    let quiet = heard.map { abs($0) < 1e-3 ? Float(0) : $0 }
    return Signals.silentRuns(quiet)
      .filter { $0.lowerBound > 0 && $0.upperBound < heard.count && $0.count > 2 }.map(\.count)
  }

  /// The number of samples that the independent recorder received without a fault.
  ///
  /// - Returns: Nil where there is any fault.
  func framesOfOthers() -> Int? {
    Signals.soundFrames(of: recorder.captured.channels[0], inLoop: noise)
  }
}

extension PipeWireSession {
  /// Makes an ALSA device "blocking" that plays to PipeWire, and whose driver hangs while its output is not
  /// read.
  ///
  /// - Returns: The reader.
  func makeBlockingDevice(in scratch: Scratch) throws -> Child {
    let pipe = "\(scratch.path)/pipe-\(Scratch.number())"
    guard unsafe mkfifo(pipe, 0o600) == 0 else { throw TestFailure("no pipe at \(pipe)") }
    // The session's folder is the home of its programs.
    try "pcm.blocking { type file, slave.pcm \"pipewire\", file \"\(pipe)\", format \"raw\" }"
      .write(toFile: "\(session.folder)/.asoundrc", atomically: true, encoding: .utf8)
    // Open for both ways, it never comes to an end.
    return try Child("sh", ["-c", "exec cat 0<>\(pipe) >/dev/null"], in: scratch)
  }
}
