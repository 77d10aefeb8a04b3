// SPDX-License-Identifier: MIT

public import Foundation
internal import NIOConcurrencyHelpers
internal import Sessions

/// The audio session of this app, as iOS apps know it, arbitrated by a MultiRoute host over JACK.
///
/// Calls that change something ask the host and wait for its answer, at most ``HostSettings/limitSeconds``. Properties
/// come from memory and never wait, except the first read, which connects. Errors are `NSError` in
/// `NSOSStatusErrorDomain` with an ``ErrorCode``. Their `userInfo` has the value at fault
/// (``AVAudioSessionErrorOffendingKey``), the allowed values (``AVAudioSessionErrorAllowedKey``) and the rule
/// (``AVAudioSessionErrorRuleKey``).
///
/// Every call may be made from any thread except an audio thread: [any-thread]. Calls marked [control-thread] may
/// block.
open class AVAudioSession: NSObject, @unchecked Sendable {
  private static let only = AVAudioSession(only: ())

  /// The session of this app.
  /// [any-thread]
  public class func sharedInstance() -> AVAudioSession { only }

  /// Makes another handle on the one session of the app; use ``sharedInstance()``.
  @available(*, deprecated, message: "use sharedInstance()")
  public override init() {}

  private init(only: Void) {}

  /// Whether the session is active.
  ///
  /// Not in the SDK.
  public var isActive: Bool { state.isActive }

  /// Whether notifications of the main thread are posted on the session's thread instead, for programs without a main
  /// queue.
  package static var eventsComeOnSessionThread: Bool {
    get { SessionController.shared.avoidsMainThread.withLockedValue { $0 } }
    set { SessionController.shared.avoidsMainThread.withLockedValue { $0 = newValue } }
  }

  /// The sentence for a forked child, which may have no memory for another one. [any-thread]
  package static var forkedReason: StaticString {
    "this process was forked from the one whose session it is; start a program with exec, which has its own"
  }

  let controller = SessionController.shared

  var state: SessionState { controller.current }

  /// Category, mode and options.
  open override var description: String {
    let configuration = state.configuration
    let options = configuration.options.names.joined(separator: ", ")
    return "<AVAudioSession category = \(configuration.category.name); "
      + "mode = \(configuration.mode.name); options = [\(options)]; active = \(state.isActive)>"
  }
}
