// SPDX-License-Identifier: MIT

/// The outputs that an app has connected itself to, or its user has.
///
/// They hold like an override: until an output is connected that was not there when the choice was made, from
/// where on the rules of routing count (rules CAT-2, RTE-5).
public struct PreferredOutputs: Hashable, Codable, Sendable {
  /// The uids of the outputs.
  public var uids: Set<String>
  /// The uids of all outputs that were connected when the choice was made.
  public var known: Set<String>

  /// Makes a choice.
  ///
  /// - Parameters:
  ///   - uids: The uids of the outputs.
  ///   - known: The uids of all outputs that were connected when the choice was made.
  public init(uids: Set<String>, known: Set<String>) {
    self.uids = uids
    self.known = known
  }

  /// What is chosen of the outputs that are connected.
  ///
  /// - Parameters:
  ///   - eligible: The outputs that the session may use, in order of connection.
  ///   - joinsNewOutputs: Whether an output that is new takes nothing away from the others.
  /// - Returns: Nil where none is connected, or where the rules of routing count.
  func choice(
    among eligible: [PortDescription],
    joinsNewOutputs: Bool,
  ) -> [PortDescription]? {
    let chosen = eligible.filter { uids.contains($0.uid) }
    guard !chosen.isEmpty else { return nil }
    return joinsNewOutputs || eligible.allSatisfy { known.contains($0.uid) } ? chosen : nil
  }
}
