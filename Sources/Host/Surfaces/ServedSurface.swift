// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles

/// A surface that serves a port, and its end.
///
/// Belongs to the control thread.
struct ServedSurface {
  /// The section of the graph to which it belongs.
  let section: GraphChange.Surface
  /// Its ports; OSCQuery may have one for OSC beside its own.
  var statuses: [SurfaceStatus]
  /// Its addresses for browsers and apps.
  var addresses: [SurfaceAddress] = []
  /// The addresses of the page for other machines, without a key.
  var pages: [String] = []
  /// Takes in the name of this machine in mDNS; nil where it has none any more.
  var noteMachineName: (String?) -> Void = { _ in }
  /// Takes in levels for pages in browsers.
  var presentLevels: (Meters) -> Void = { _ in }
  /// Takes in the port for OSC; nil for none.
  var noteOSC: (SurfaceStatus?) async -> Void = { _ in }
  /// Ends it.
  var end: () async -> Void = {}
}

/// A failure to open a surface, in one sentence.
///
/// Pure value: [any-thread].
struct SurfaceFault: Error, CustomStringConvertible {
  let description: String

  init(_ error: any Error) { description = "\(error)" }
}

/// The sections of surfaces that serve a port. [any-thread]
extension GraphFile.Surfaces {
  /// The sections of surfaces that serve a port, in the order of their start.
  static let serving: [GraphChange.Surface] = [.osc, .xair, .oscquery, .web]

  /// The port that a section asks for; nil for a surface that is not served.
  func status(of section: GraphChange.Surface) -> SurfaceStatus? {
    let port: (number: Int, lan: Bool)? =
      switch section {
      case .osc: osc.map { ($0.port, $0.lan) }
      case .xair: xair.map { ($0.port, $0.lan) }
      case .oscquery: oscquery.map { ($0.port, $0.lan) }
      case .web: web.map { ($0.port, $0.lan) }
      case .mackie: nil
      }
    return port.map { SurfaceStatus(kind: section.rawValue, port: $0.number, lan: $0.lan) }
  }

  /// The sections of surfaces that serve a port and differ from another version's.
  func servingChanges(since before: Self) -> [GraphChange.Surface] {
    Self.serving.filter { section in
      switch section {
      case .osc: osc != before.osc
      case .xair: xair != before.xair
      // Without a section of its own, OSC is a port of OSCQuery.
      case .oscquery:
        oscquery != before.oscquery
          || (oscquery != nil && (osc == nil) != (before.osc == nil))
      case .web: web != before.web
      case .mackie: false
      }
    }
  }
}
