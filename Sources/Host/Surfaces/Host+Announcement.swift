// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import GraphFiles
internal import ServiceDiscovery

/// The announcement of surfaces by mDNS.
extension Host {
  /// Announces the surfaces that other machines reach, so that programs there find them without being told an address.
  ///
  /// An announcement of others ends.
  func announceSurfaces() {
    let services = rooms.surfaces.statuses.compactMap { surface in
      NetworkService(surface).map { (kind: surface.kind, service: $0) }
    }
    let kinds = Set(services.map(\.kind))
    let announcer =
      services.isEmpty ? nil : ServiceAnnouncer(services.map(\.service), name: rooms.graph.name)
    rooms.surfaces.take(announcer)
    guard let announcer else { return }
    Task {
      for await news in announcer.news where rooms.surfaces.isAnnounced(by: announcer) {
        take(news, of: kinds)
      }
    }
  }

  private func take(_ news: AnnouncementNews, of kinds: Set<String>) {
    switch news {
    case .announced(let name, let machine):
      rooms.surfaces.note(announced: name, of: kinds)
      rooms.surfaces.note(machineName: machine)
    case .lost(let reason):
      rooms.surfaces.note(announced: nil, of: kinds)
      rooms.surfaces.note(machineName: nil)
      rooms.control.publish(
        .error(),
        "other machines do not find \(kinds.sorted().joined(separator: ", ")) by mDNS: \(reason); "
          + "start avahi-daemon, or give them the address",
      )
    }
  }
}

extension NetworkService {
  /// The service of a surface; nil for one that nobody looks for, or that other machines do not reach.
  fileprivate init?(_ surface: SurfaceStatus) {
    guard surface.lan, surface.fault == nil, let port = UInt16(exactly: surface.port) else {
      return nil
    }
    switch surface.kind {
    case "osc": self.init(type: "_osc._udp", port: port)
    case "oscquery": self.init(type: "_oscjson._tcp", port: port)
    case "web": self.init(type: "_http._tcp", port: port, texts: ["path=/"])
    default: return nil
    }
  }
}
