// SPDX-License-Identifier: MIT

import DeviceBridge
import FoundationEssentials

/// What a bridge itself says has happened to it.
struct BridgeAccount {
  /// Times that the read pointer was moved while sound passed.
  var resyncs: Int
  /// Times that cycles of JACK went by without the bridge.
  var missedCycles: Int
  /// Times that the device ran empty.
  var xruns: Int

  /// Reads the last status line; nil where there is none, as with other programs' bridges.
  init?(readingFrom path: String) {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else { return nil }
    let statuses = data.split(separator: 0x0A).reversed().lazy.compactMap { line in
      try? JSONDecoder().decode(BridgeStatus.self, from: Data(line))
    }
    guard let last = statuses.first else { return nil }
    resyncs = last.resyncs
    missedCycles = last.missedCycles
    xruns = last.xruns
  }

  /// What has happened since an earlier account.
  func since(_ earlier: BridgeAccount?) -> BridgeAccount {
    var rest = self
    rest.resyncs -= earlier?.resyncs ?? 0
    rest.missedCycles -= earlier?.missedCycles ?? 0
    rest.xruns -= earlier?.xruns ?? 0
    return rest
  }
}
