// SPDX-License-Identifier: MIT

internal import GraphFiles

/// Gap until branch `apply` is merged.
extension Host {
  func apply(_ graph: GraphFile) async throws(HostError) {
    throw HostError(.jack, "not there yet")
  }
}
