// SPDX-License-Identifier: MIT

internal import Mixing
internal import Realtime
internal import Sessions

extension Host {
  /// Lets the tower know who sends silence (ACT-8).
  func tellSilence(_ levels: [MixMeters.Entry]) {
    let heard = Set(levels.filter { $0.channels.contains { $0.peakLinear > 0 } }.map(\.id))
    for (id, session) in tower.held.sorted(by: { $0.key < $1.key }) where !session.strips.isEmpty {
      let isSilent = session.strips.allSatisfy { !heard.contains($0) }
      guard tower.note(id, isSilent: isSilent) else { continue }
      tell(.audioLevelChanged(session: id, isSilent: isSilent))
    }
  }
}
