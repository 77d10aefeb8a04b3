// SPDX-License-Identifier: MIT

/// A method of the control socket: its name, its parameters and its result.
///
/// A new method is one type in one file, listed in ``MethodRegistry/standard``.
public protocol ControlMethod: Sendable {
  /// The parameters.
  associatedtype Params: ControlParams
  /// The result.
  associatedtype Result: Codable & Sendable

  /// The name on the wire, lower camel case.
  static var name: String { get }

  /// The clients that may make a request with these parameters; everybody by default.
  /// [any-thread]
  static func access(of params: Params) -> MethodAccess
}

/// The default: [any-thread].
extension ControlMethod {
  /// A method of the mix, or one that only reads.
  public static func access(of params: Params) -> MethodAccess { .everybody }
}

/// A request that has been read and checked: a method and parameters of that method's type.
///
/// Pure value: [any-thread].
public struct ControlRequest: Sendable {
  /// The method asked for.
  public let method: any ControlMethod.Type
  /// The clients that may make it.
  public let access: MethodAccess
  private let storedParams: any Sendable

  /// Makes a request.
  public init<Method: ControlMethod>(_ method: Method.Type, _ params: Method.Params) {
    self.method = method
    access = method.access(of: params)
    storedParams = params
  }

  /// The parameters, if this is a request for `method`.
  /// [any-thread]
  public func params<Method: ControlMethod>(for method: Method.Type) -> Method.Params? {
    guard self.method.name == method.name else { return nil }
    return storedParams as? Method.Params
  }
}

/// The host's answer to a request: the method's `Result`, or an error.
public typealias ControlReply = Result<any Encodable & Sendable, ControlError>

/// The methods that a server understands, by name.
///
/// Pure value: [any-thread].
public struct MethodRegistry: Sendable {
  private let methods: [String: any ControlMethod.Type]

  /// Makes a registry; of two methods with one name the later one counts.
  public init(_ methods: [any ControlMethod.Type]) {
    self.methods = Dictionary(methods.map { ($0.name, $0) }) { _, later in later }
  }

  /// Every method of this protocol version.
  public static let standard = MethodRegistry([
    Hello.self, GetStatus.self, Subscribe.self, Unsubscribe.self,
    SetGain.self, SetMute.self, SetSolo.self, SetCue.self, SetPan.self, SetSend.self,
    SetCrossfader.self, StartFade.self, Stop.self, SetInserts.self, SetBypass.self,
    OpenSession.self, ConfigureSession.self, ActivateSession.self, DeactivateSession.self,
    CloseSession.self, Why.self, Simulate.self,
    ListPermissions.self, SetPermission.self, RequestPermission.self,
    SetAlignment.self, StartRecording.self, StopRecording.self,
    GetSession.self, AdjustSession.self, ChooseRoute.self, SetSessionPorts.self,
    SendRemoteCommand.self,
    ListParameters.self, GetParameters.self, SetParameters.self, WatchParameters.self,
    SaveScene.self, RecallScene.self, DeleteScene.self, ListScenes.self,
    ListControllers.self, LearnControl.self,
    ListWebTokens.self, MakeWebToken.self, RevokeWebToken.self,
    ListPatch.self, ConnectPorts.self, DisconnectPorts.self, ListGraphEdits.self,
    ApplyGraph.self,
  ])

  /// The methods with further ones.
  package func adding(_ further: [any ControlMethod.Type]) -> MethodRegistry {
    MethodRegistry(Array(methods.values) + further)
  }

  /// The names, sorted.
  public var names: [String] { methods.keys.sorted() }

  /// Finds a method.
  public subscript(name: String) -> (any ControlMethod.Type)? { methods[name] }
}

/// The id that joins an answer to its request: chosen by the client, a string or an integer.
public enum MessageID: Hashable, Sendable {
  /// An integer id.
  case integer(Int64)
  /// A string id.
  case string(String)
}

/// Pure value: [any-thread].
extension MessageID: Codable {
  /// Reads a string or an integer; fractions, `null` and anything else are refused.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the id exactly as the client sent it.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .integer(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    }
  }
}

/// Versions of the protocol, whole numbers that rise when something existing changes its meaning.
///
/// Additions (methods, fields of results, event kinds) do not change the version: clients ignore
/// unknown parts of results and notifications.
public enum ProtocolVersion {
  /// The version that this code speaks.
  public static let current = 1
  /// Every version that this code can speak, rising.
  public static let supported = [1]
}
