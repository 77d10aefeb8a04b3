// SPDX-License-Identifier: MIT

import AudioFiles
import Glibc
import TestSupport

@testable import EndToEndSupport

/// A sound card without hardware, ALSA's device `pipewire`, whose captures always give noise.
struct NoisyCard {
  let scratch: Scratch
  private let card: PipeWireSession
  private let sound: Child

  /// Starts the card and its noise.
  init() async throws {
    card = try await PipeWireSession(channels: 4)
    try card.session.run(["pw-metadata", "-n", "settings", "0", "clock.force-quantum", "256"])
    scratch = try Scratch()
    let noise = Array(repeating: Signals.noise(48_000, seed: 7), count: 120).flatMap { $0 }
    let file = try scratch.write([noise, noise], to: "noise.wav", format: .wavPCM16)
    sound = try Child("pw-play", [file], environment: card.environment, in: scratch)
  }

  /// The environment in which a host finds the card, and keeps its files where the test says.
  var environment: [String: String] {
    var environment = card.environment
    environment["PIPEWIRE_RUNTIME_DIR"] = environment["XDG_RUNTIME_DIR"]
    for name in ["XDG_RUNTIME_DIR", "XDG_STATE_HOME"] { environment[name] = nil }
    return environment
  }

  /// Ends everything.
  func stop() {
    sound.send(SIGTERM)
    card.stop()
  }
}
