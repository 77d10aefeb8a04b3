// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// The change of the surfaces that serve a port to another version of the graph.
///
/// Belongs to the control thread.
struct SurfaceChange {
  /// The sections that differ.
  let sections: [GraphChange.Surface]
  /// The surfaces of the next version, which are not in use yet.
  var opened: [ServedSurface] = []
  /// The sections whose surfaces were ended, because the next version needs their ports.
  var ended: [GraphChange.Surface] = []
}

/// The surfaces, as another version of the graph comes into force.
extension Host {
  /// Opens the ports of the next version's surfaces, as far as they differ.
  ///
  /// - Parameter next: The next version.
  /// - Returns: The change, for ``takeSurfaces(_:)`` or ``undoSurfaces(_:)``.
  /// - Throws: ``HostError`` for a port that cannot be opened; all surfaces are as before then.
  func openSurfaces(of next: GraphFile) async throws(HostError) -> SurfaceChange {
    let sections = next.surfaces.servingChanges(since: rooms.graph.surfaces)
    var change = SurfaceChange(sections: sections)
    let wanted = Set(sections.compactMap { next.surfaces.status(of: $0)?.port })
    // A port of both versions is free only while the surface before is ended.
    for section in sections where !rooms.surfaces.ports(of: section).isDisjoint(with: wanted) {
      await rooms.surfaces.end(section)
      change.ended.append(section)
    }
    for section in sections {
      do throws(SurfaceFault) {
        if let surface = try await open(section, of: next) { change.opened.append(surface) }
      } catch {
        await undoSurfaces(change)
        throw HostError(.noPort, "\(next.path): surfaces: \(section.rawValue): \(error)")
      }
    }
    return change
  }

  /// Ends what was opened for a version that does not come into force, and serves again what was ended for it.
  func undoSurfaces(_ change: SurfaceChange) async {
    for surface in change.opened { await surface.end() }
    for section in change.ended { await serve(section) }
    if !change.ended.isEmpty { announceSurfaces() }
  }

  /// Goes over to the surfaces of the version that is in force now.
  func takeSurfaces(_ change: SurfaceChange) async {
    guard !change.sections.isEmpty else { return }
    for section in change.sections { await rooms.surfaces.end(section) }
    if change.sections.contains(.web) { rooms.webTokens.opened([]) }
    for surface in change.opened { take(surface) }
    await rooms.surfaces.tellOSC()
    announceSurfaces()
  }
}
