// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// What users patch by hand at the host's ports.
extension Host {
  /// Takes in what was patched when the last host of this name ended.
  func restorePatches() {
    guard configuration.graph.keepsPatches else { return }
    keeper.restore(madeByHand: kept.patchesMade, takenAway: kept.patchesTakenAway)
  }

  /// Keeps what is patched now, where the graph asks for it.
  func keepPatches() {
    guard configuration.graph.keepsPatches,
      keeper.madeByHand != kept.patchesMade || keeper.takenAway != kept.patchesTakenAway
    else { return }
    kept.patchesMade = keeper.madeByHand
    kept.patchesTakenAway = keeper.takenAway
    keepState()
  }

  func patchStatuses() -> [PatchStatus] {
    let isKept = configuration.graph.keepsPatches
    return [(keeper.madeByHand, true), (keeper.takenAway, false)].flatMap { pairs, isMade in
      pairs.sorted().map { pair in
        PatchStatus(source: pair.source, destination: pair.destination, made: isMade, kept: isKept)
      }
    }
  }
}
