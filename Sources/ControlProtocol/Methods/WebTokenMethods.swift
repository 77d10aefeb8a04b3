// SPDX-License-Identifier: MIT

public import Sessions

/// The rights of whoever opens the web page from another machine.
///
/// Pure value: [any-thread].
public enum WebRole: String, Codable, WireNamed, CaseIterable {
  /// All that the user may do, but for the keys to the page.
  case all
  /// The sends to one route and its level, and all that ``watch`` may do.
  case mix
  /// Reading only.
  case watch
}

/// Lists the keys to the web page.
///
/// Pure value: [any-thread].
public enum ListWebTokens: ControlMethod {
  /// The name on the wire.
  public static let name = "listWebTokens"
  /// The empty parameters.
  public typealias Params = NoParams
  /// All keys.
  public typealias Result = WebTokenList

  /// Users' tools alone know who may come in.
  public static func access(of params: Params) -> MethodAccess { .users }
}

/// Makes a key to the web page that opens it once.
///
/// Pure value: [any-thread].
public enum MakeWebToken: ControlMethod {
  /// The name on the wire.
  public static let name = "makeWebToken"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The rights; `all` when `nil`.
    @NamedIfPresent public var role: WebRole?
    /// The route of the role `mix`.
    public var route: String?
    /// Words by which the user knows the key; none when `nil`.
    public var label: String?

    /// Makes the parameters.
    public init(role: WebRole? = nil, route: String? = nil, label: String? = nil) {
      self.role = role
      self.route = route
      self.label = label
    }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      ParamField("role", allowed: WebRole.allowed),
      ParamField("route", allowed: "a route's name with the role mix, and none with the others") {
        guard ($0.role == .mix) != ($0.route != nil) else { return nil }
        return $0.route == nil ? "it is missing" : "only the role mix has a route"
      },
      ParamField("label", allowed: "at most 64 bytes without control characters") {
        let label = $0.label ?? ""
        let isFit = label.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return label.utf8.count <= 64 && isFit ? nil : "it is not a label"
      },
    ]
  }

  /// The key, which is told only here.
  public struct Result: Codable, Sendable, Hashable {
    /// The key's number.
    public var id: Int
    /// The addresses of the page with the key, one for each address of this machine; each opens the page once.
    public var addresses: [String]
    /// The end of the key if nobody uses it, in seconds since 1970.
    public var expiresSeconds: Int

    /// Makes the result.
    public init(id: Int, addresses: [String], expiresSeconds: Int) {
      self.id = id
      self.addresses = addresses
      self.expiresSeconds = expiresSeconds
    }
  }

  /// Users' tools alone let others in.
  public static func access(of params: Params) -> MethodAccess { .users }
}

/// Takes a key back, and closes the connections that it has opened.
///
/// Pure value: [any-thread].
public enum RevokeWebToken: ControlMethod {
  /// The name on the wire.
  public static let name = "revokeWebToken"

  /// The parameters of the request.
  public struct Params: ControlParams {
    /// The key's number.
    public var id: Int

    /// Makes the parameters.
    public init(id: Int) { self.id = id }

    /// The parameters with their allowed values.
    public static let fields: [ParamField<Params>] = [
      .integer("id", in: 1...Int(Int32.max), "the number of a key") { $0.id }
    ]
  }

  /// The remaining keys.
  public typealias Result = WebTokenList

  /// Users' tools alone take keys back.
  public static func access(of params: Params) -> MethodAccess { .users }
}

/// The keys to the web page, in the order in which they were made.
///
/// Pure value: [any-thread].
public struct WebTokenList: Codable, Sendable, Hashable {
  /// The keys.
  public var tokens: [Token]

  /// One key: for one use at first, and then the session that this use has begun.
  public struct Token: Codable, Sendable, Hashable {
    /// Its number, which no other key gets.
    public var id: Int
    /// The rights; nil for a role that this version does not know.
    @NamedIfKnown public var role: WebRole?
    /// The route of the role `mix`.
    @OrNull public var route: String?
    /// The words by which the user knows it.
    public var label: String
    /// The time at which it was made, in seconds since 1970.
    public var madeSeconds: Int
    /// The time of the latest use, in seconds since 1970; `null` before the first.
    @OrNull public var usedSeconds: Int?
    /// The time at which it ends by itself, in seconds since 1970.
    public var expiresSeconds: Int
    /// The number of connections that it holds open.
    public var connections: Int

    /// Makes the value from its parts.
    public init(
      id: Int,
      role: WebRole,
      route: String?,
      label: String,
      madeSeconds: Int,
      usedSeconds: Int?,
      expiresSeconds: Int,
      connections: Int,
    ) {
      self.id = id
      _role = NamedIfKnown(role)
      self.route = route
      self.label = label
      self.madeSeconds = madeSeconds
      self.usedSeconds = usedSeconds
      self.expiresSeconds = expiresSeconds
      self.connections = connections
    }
  }

  /// Makes the list.
  public init(tokens: [Token]) { self.tokens = tokens }
}
