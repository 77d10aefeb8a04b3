// SPDX-License-Identifier: MIT

/// The methods that a server understands, by name.
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
    SetCrossfader.self, Fade.self, Stop.self, SetInserts.self, SetBypass.self,
    OpenSession.self, ConfigureSession.self, ActivateSession.self, DeactivateSession.self,
    CloseSession.self, Why.self, Simulate.self,
    ListPermissions.self, SetPermission.self, RequestPermission.self,
    SetAlignment.self, StartRecording.self, StopRecording.self,
    GetSession.self, AdjustSession.self, SetSessionPorts.self, SendRemoteCommand.self,
  ])

  /// The names, sorted.
  public var names: [String] { methods.keys.sorted() }

  /// Finds a method.
  public subscript(name: String) -> (any ControlMethod.Type)? { methods[name] }
}
