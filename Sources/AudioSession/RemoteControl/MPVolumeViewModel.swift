// SPDX-License-Identifier: MIT

internal import ControlProtocol
public import Foundation
internal import NIOConcurrencyHelpers
public import Observation
internal import Sessions

/// The model of a volume slider and a route picker: iOS's `MPVolumeView` without the view (VOL-4).
///
/// Views read its properties and are told of changes by `withObservationTracking`, or by the notifications. The setters are
/// for what the user does in such a view. [any-thread] except the audio thread.
public final class MPVolumeViewModel: Observable, Sendable {
  /// The properties at one moment.
  private struct Shown: Equatable, Sendable {
    var volume: Float = 0
    var outputs: [SessionOutput] = []

    init(_ detail: SessionDetail?) {
      volume = Float(detail?.hardware.outputVolume ?? 0)
      outputs = detail?.outputs ?? []
    }

    var isWirelessAvailable: Bool { outputs.contains { $0.reason == nil && $0.isWireless } }
    var isWirelessActive: Bool { outputs.contains { $0.inUse && $0.isWireless } }
  }

  private let shown: NIOLockedValueBox<Shown>
  private let observation = NIOLockedValueBox<Int?>(nil)
  private let registrar = ObservationRegistrar()

  /// Makes the model of this process's session; connects to the host if one is running.
  public init() {
    shown = NIOLockedValueBox(Shown(SessionController.shared.current.detail))
    let number = SessionController.shared.observers.add(VolumeViewObserver(model: self))
    observation.withLockedValue { $0 = number }
  }

  deinit {
    if let number = observation.withLockedValue({ $0 }) {
      SessionController.shared.observers.remove(number)
    }
  }

  // MARK: - Volume

  /// The volume of the output route, 0 to 1: `AVAudioSession.outputVolume`.
  public var volume: Float {
    registrar.access(self, keyPath: \.volume)
    return shown.withLockedValue { $0.volume }
  }

  /// Whether there is a volume to set: whether the session has an output.
  public var isVolumeControlEnabled: Bool { !activeRoutes.isEmpty }

  /// Sets the volume of the output route, as the user does with a slider.
  ///
  /// The faders of several routes keep their distances. A muted route is heard again.
  ///
  /// - Parameter volume: 0 to 1; others are clamped.
  /// - Throws: `badParam` for NaN; `mediaServicesFailed` without a host.
  /// [control-thread]
  public func setVolume(_ volume: Float) throws {
    guard !volume.isNaN else {
      throw NSError.session(
        .badParam,
        "the volume is not a number; allowed: 0 to 1",
        offending: "\(volume)",
        rule: "VOL-4",
      )
    }
    try SessionController.shared.setOutputVolume(Double(min(max(volume, 0), 1)))
  }

  // MARK: - Routes

  /// The outputs that the session may be moved to now, in the order of the graph.
  public var routes: [AVAudioSessionPortDescription] { ports { $0.reason == nil } }

  /// The outputs that the session plays to now.
  public var activeRoutes: [AVAudioSessionPortDescription] { ports { $0.inUse } }

  /// The output that the user has picked; nil while the rules decide.
  public var chosenRoute: AVAudioSessionPortDescription? { ports { $0.chosen }.first }

  /// Why the session cannot be moved to an output; nil where it can, and for one that is not known.
  ///
  /// - Parameter uid: The uid of the output: the name of a route.
  /// - Returns: The reason as a clause.
  public func reason(against uid: String) -> String? {
    outputs.first { $0.port.uid == uid }?.reason
  }

  /// Moves the app to an output, as the user does in a route picker; nil lets the rules decide again.
  ///
  /// The pick counts more than the app's own override. It holds until the output goes, or until the next pick.
  ///
  /// - Parameter route: One of ``routes``, or nil.
  /// - Throws: `resourceNotAvailable` with the reason, if category, mode or options do not allow it; `badParam` for an output
  ///   that is not there; `missingEntitlement` where the graph leaves routes to users' tools.
  /// [control-thread]
  public func choose(_ route: AVAudioSessionPortDescription?) throws {
    try choose(routeWithUID: route?.uid)
  }

  /// Moves the app to the output of a uid, like ``choose(_:)``; nil lets the rules decide again.
  ///
  /// - Parameter uid: The uid of one of ``routes``, or nil.
  /// - Throws: The errors of ``choose(_:)``.
  /// [control-thread]
  public func choose(routeWithUID uid: String?) throws {
    try SessionController.shared.chooseOutput(uid)
  }

  /// Whether the session may be moved to a Bluetooth or AirPlay output.
  public var areWirelessRoutesAvailable: Bool {
    registrar.access(self, keyPath: \.routes)
    return shown.withLockedValue { $0.isWirelessAvailable }
  }

  /// Whether the session plays to a Bluetooth or AirPlay output.
  public var isWirelessRouteActive: Bool {
    registrar.access(self, keyPath: \.routes)
    return shown.withLockedValue { $0.isWirelessActive }
  }

  private var outputs: [SessionOutput] {
    registrar.access(self, keyPath: \.routes)
    return shown.withLockedValue { $0.outputs }
  }

  private func ports(
    where isIncluded: (SessionOutput) -> Bool
  ) -> [AVAudioSessionPortDescription] {
    outputs.filter(isIncluded).map { AVAudioSessionPortDescription($0.port) }
  }

  // MARK: - Changes

  /// Takes the session's state over, and tells observers of the difference.
  fileprivate func review() {
    let now = Shown(SessionController.shared.state.withLockedValue { $0.detail })
    let before = shown.withLockedValue { $0 }
    if now.volume != before.volume {
      registrar.withMutation(of: self, keyPath: \.volume) {
        shown.withLockedValue { $0.volume = now.volume }
      }
    }
    guard now.outputs != before.outputs else { return }
    registrar.withMutation(of: self, keyPath: \.routes) {
      shown.withLockedValue { $0.outputs = now.outputs }
    }
    if now.isWirelessAvailable != before.isWirelessAvailable {
      post(.MPVolumeViewWirelessRoutesAvailableDidChange)
    }
    if now.isWirelessActive != before.isWirelessActive {
      post(.MPVolumeViewWirelessRouteActiveDidChange)
    }
  }

  private func post(_ name: NSNotification.Name) {
    SessionController.shared.onMain {
      NotificationCenter.default.post(name: name, object: self)
    }
  }
}

extension NSNotification.Name {
  /// A Bluetooth or AirPlay output became available or unavailable to the session; posted on the main thread. [any-thread]
  public static let MPVolumeViewWirelessRoutesAvailableDidChange = NSNotification.Name(
    "MPVolumeViewWirelessRoutesAvailableDidChangeNotification"
  )

  /// The session moved to a Bluetooth or AirPlay output, or away from one; posted on the main thread. [any-thread]
  public static let MPVolumeViewWirelessRouteActiveDidChange = NSNotification.Name(
    "MPVolumeViewWirelessRouteActiveDidChangeNotification"
  )
}

/// Connects a model with the session without keeping it alive. [any-thread]
private struct VolumeViewObserver: SessionObserver {
  weak var model: MPVolumeViewModel?

  func review(_ session: AVAudioSession) { model?.review() }
}

extension SessionOutput {
  /// Whether it is a Bluetooth or AirPlay output.
  fileprivate var isWireless: Bool {
    switch port.type {
    case .airPlay, .bluetoothA2DP, .bluetoothHFP, .bluetoothLE: true
    default: false
    }
  }
}
