// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers

/// A command that remote controls can give, and who carries it out.
///
/// An app with a target for any command takes remote commands (VOL-2). Targets are called on the main thread.
open class MPRemoteCommand: NSObject, @unchecked Sendable {
  /// Carries a command out.
  public typealias Handler = @Sendable (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus

  private struct State {
    var targets: [(token: NSObject, handler: Handler)] = []
    var isEnabled = true
  }

  private let state = NIOLockedValueBox(State())

  override init() {}

  /// Whether remote controls may give it now.
  public var isEnabled: Bool {
    get { state.withLockedValue { $0.isEnabled } }
    set {
      state.withLockedValue { $0.isEnabled = newValue }
      RemoteControl.shared.commandsChanged()
    }
  }

  /// Lets a closure carry the command out.
  ///
  /// - Returns: What ``removeTarget(_:)`` takes.
  /// [any-thread]
  @discardableResult
  public func addTarget(handler: @escaping Handler) -> Any {
    let token = NSObject()
    state.withLockedValue { $0.targets.append((token, handler)) }
    RemoteControl.shared.commandsChanged()
    return token
  }

  /// Takes a target away; nil takes all away.
  /// [any-thread]
  public func removeTarget(_ target: Any?) {
    let token = target as? NSObject
    state.withLockedValue { state in
      state.targets.removeAll { token == nil || $0.token === token }
    }
    RemoteControl.shared.commandsChanged()
  }

  /// Whether somebody would carry it out now.
  var isTaken: Bool { state.withLockedValue { $0.isEnabled && !$0.targets.isEmpty } }

  /// The event by which targets hear of a call.
  func event(_ call: RemoteCommandCall) -> MPRemoteCommandEvent { MPRemoteCommandEvent(self) }

  /// Calls the targets in the order in which they came.
  func send(_ event: MPRemoteCommandEvent) {
    let handlers = state.withLockedValue { $0.isEnabled ? $0.targets.map(\.handler) : [] }
    for handler in handlers { _ = handler(event) }
  }
}
