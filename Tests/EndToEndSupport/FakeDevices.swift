// SPDX-License-Identifier: MIT

import TestSupport

/// Devices for a host: JACK clients with physical ports that record.
enum FakeDevices {
  /// Plugs a device in; closing it unplugs it.
  static func plugIn(
    _ name: String,
    channels: Int = 1,
    seconds: Int = 30,
    latencyFrames: UInt32 = 0,
  ) throws -> Recorder {
    let device = try Recorder(
      from: [String?](repeating: nil, count: channels),
      capacityFrames: seconds * 48_000,
      server: try testServer().name,
      name: name,
      isHardware: true,
      latencyFrames: latencyFrames,
    )
    device.start()
    return device
  }
}

extension Signals {
  /// The length of a recording that is a loop of `reference` without a fault, up to the last sample.
  ///
  /// - Returns: The frames that are equal; nil where there is any other sample.
  static func soundFrames(of heard: [Float], inLoop reference: [Float]) -> Int? {
    guard let start = heard.indices.first(where: { heard[$0] != 0 }),
      let match = longestMatch(of: heard, from: start, inLoop: reference),
      start + match.frames == heard.count
    else { return nil }
    return match.frames
  }
}
