// SPDX-License-Identifier: MIT

extension GraphFile {
  /// The control surfaces that the host serves; none unless the file or the command line asks for it.
  public struct Surfaces: Sendable, Equatable {
    /// OSC over UDP and TCP.
    public var osc: OSC?
    /// The units of a Mackie Control from left to right; empty for none.
    public var mackie: [MackieUnit] = []
    /// The dialect of X-Air mixers.
    public var xair: XAir?
    /// OSCQuery over HTTP and WebSockets.
    public var oscquery: OSCQuery?
    /// The page in the browser.
    public var web: Web?

    /// Makes surfaces without any.
    public init() {}

    /// A port for OSC.
    public struct OSC: Sendable, Equatable {
      /// The number of the port, 1…65535; 0 for any free one.
      public var port = 9000
      /// Whether TCP connections are taken at the same number.
      public var tcp = true
      /// Whether other machines reach the port.
      public var lan = false

      /// Makes the port with its default number.
      public init() {}
    }

    /// A port for tablets that know X-Air mixers.
    public struct XAir: Sendable, Equatable {
      /// The number of the port, 1…65535; 0 for any free one.
      ///
      /// Apps know no other than 10024.
      public var port = 10_024
      /// Whether other machines reach the port.
      public var lan = false

      /// Makes the port with its number.
      public init() {}
    }

    /// A port for the page in the browser.
    public struct Web: Sendable, Equatable {
      /// The number of the port, 1…65535; 0 for any free one.
      public var port = 8080
      /// Whether other machines reach the port, with a token.
      public var lan = false
      /// The certificate that encrypts the connections; nil for none.
      public var certificate: Certificate?

      /// Makes the port with its default number.
      public init() {}
    }

    /// A port for OSCQuery.
    public struct OSCQuery: Sendable, Equatable {
      /// The number of the port, 1…65535; 0 for any free one.
      public var port = 9001
      /// Whether other machines reach the port, with a token.
      public var lan = false

      /// Makes the port with its default number.
      public init() {}
    }
  }
}

/// The keys of `surfaces`.
enum SurfacesKey: String, SectionKey {
  static let section = "surfaces"
  case osc, oscquery, mackie, xair, web
}

/// The keys of `surfaces.osc`.
enum OSCKey: String, SectionKey {
  static let section = "osc"
  case port, tcp, lan
}

/// The keys of `surfaces.xair`.
enum XAirKey: String, SectionKey {
  static let section = "xair"
  case port, lan
}

/// The keys of `surfaces.oscquery`.
enum OSCQueryKey: String, SectionKey {
  static let section = "oscquery"
  case port, lan
}

/// The keys of `surfaces.web`.
enum WebKey: String, SectionKey {
  static let section = "web"
  case port, lan, certificate, key
}

extension GraphFile.Surfaces {
  init(_ section: Section<SurfacesKey>, media: MediaFiles) {
    osc = section[.osc]?.section().map { OSC($0) }
    mackie = section[.mackie]?.mackieUnits() ?? []
    xair = section[.xair]?.section().map { XAir($0) }
    oscquery = section[.oscquery]?.section().map { OSCQuery($0) }
    web = section[.web]?.section().map { Web($0, media: media) }
  }
}

extension GraphFile.Surfaces.OSC {
  init(_ section: Section<OSCKey>) {
    port = section[.port]?.networkPort() ?? port
    tcp = section[.tcp]?.flag() ?? tcp
    lan = section[.lan]?.flag() ?? lan
  }
}

extension GraphFile.Surfaces.XAir {
  init(_ section: Section<XAirKey>) {
    port = section[.port]?.networkPort() ?? port
    lan = section[.lan]?.flag() ?? lan
  }
}

extension GraphFile.Surfaces.OSCQuery {
  init(_ section: Section<OSCQueryKey>) {
    port = section[.port]?.networkPort() ?? port
    lan = section[.lan]?.flag() ?? lan
  }
}

extension GraphFile.Surfaces.Web {
  init(_ section: Section<WebKey>, media: MediaFiles) {
    port = section[.port]?.networkPort() ?? port
    lan = section[.lan]?.flag() ?? lan
    certificate = section.certificate(media)
  }
}

extension Field {
  /// The number of a port; 0 for any free one.
  func networkPort() -> Int? { integer(in: 0...65_535) }
}
