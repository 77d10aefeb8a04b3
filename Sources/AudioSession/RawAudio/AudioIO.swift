// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
public import JACK
internal import Synchronization
internal import SystemSupport

/// Audio that the app computes itself in a process callback, with JACK ports that the host routes.
///
/// The callback is a C function of the app, so the compiler can check it like the host's callbacks: write it with
/// `@c @_noLocks @_noAllocation`, and do the work inside ``AudioIOCycle/run(_:_:as:body:)``.
///
/// ```swift
/// @c(tone) @_noLocks @_noAllocation
/// func tone(_ frames: UInt32, _ context: UnsafeMutableRawPointer?) -> Int32 {
///   unsafe AudioIOCycle.run(frames, context, as: Tone.self) { tone, cycle in
///     let output = unsafe cycle.output(0)
///     for frame in 0..<cycle.frames { unsafe output[frame] = tone.pointee.next() }
///   }
/// }
/// ```
///
/// Starting it activates the session if the app did not (SES-4). While the session is interrupted, the host silences it;
/// the app decides whether to stop it (INT-5). After `mediaServicesWereLost` it is an orphan: release it.
/// [any-thread] except an audio thread.
@safe
public final class AudioIO: @unchecked Sendable {
  let lock = NSRecursiveLock()
  var client: ActiveClient?
  let context: UnsafeMutablePointer<AudioIOContext>
  private let inputs: UnsafeMutablePointer<AudioInputPort>
  let outputs: UnsafeMutablePointer<AudioOutputPort>
  var inputMap: [Int]?
  private var patch = InputPatch()
  private var listener: AudioIOListener?
  private var isHung = false

  /// The client's name at the JACK server.
  public let clientName: String
  /// The number of inputs.
  public let inputChannels: Int
  /// The number of outputs.
  public let outputChannels: Int

  /// Opens the JACK client and its ports; the output is silent until ``start()``.
  ///
  /// - Parameters:
  ///   - inputChannels: 0 to 64 inputs, connected with those of the input route.
  ///   - outputChannels: 0 to 64 outputs, heard through the session's strip; a single one is heard on both sides.
  ///   - state: Handed to `render`; must stay valid until this object is released.
  ///   - render: The callback, called in every cycle of the JACK server.
  /// - Throws: `NSError` if no host or server can be reached; `badParam`.
  /// [control-thread]
  public init(
    inputChannels: Int,
    outputChannels: Int,
    state: UnsafeMutableRawPointer,
    render: ProcessFunction,
  ) throws {
    let allowed = 0...AudioIOLimits.ports
    guard allowed.contains(inputChannels), allowed.contains(outputChannels) else {
      throw NSError.session(
        .badParam,
        "\(inputChannels) inputs and \(outputChannels) outputs cannot be opened",
        offending: "\(inputChannels), \(outputChannels)",
        allowed: ["0…64"],
        rule: "SES-2",
      )
    }
    let controller = SessionController.shared
    try controller.checkProcess()
    let server = try controller.serverName()
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    unsafe inputs = .allocate(capacity: max(1, inputChannels))
    unsafe outputs = .allocate(capacity: AudioIOLimits.ports)
    unsafe context = .allocate(capacity: 1)
    do {
      let opened = try OpenedClient.open(name: controller.settings.app + "-io", server: server)
      let connection = opened.connection
      clientName = connection.name
      for index in 0..<inputChannels {
        unsafe (inputs + index).initialize(to: try connection.register("in_\(index + 1)"))
      }
      for index in 0..<outputChannels {
        unsafe (outputs + index).initialize(to: try connection.register("out_\(index + 1)"))
      }
      unsafe context.initialize(
        to: AudioIOContext(
          inputs: inputs,
          inputCount: inputChannels,
          outputs: outputs,
          outputCount: outputChannels,
          state: state,
        )
      )
      client = try unsafe opened.activate(
        process: render,
        context: UnsafeMutableRawPointer(context),
      )
    } catch {
      throw NSError.session(.mediaServicesFailed, "\(error)", rule: "RST-1")
    }
    if outputChannels == 1 { try setOutputChannelMap(nil) }
    let listener = AudioIOListener(io: self)
    self.listener = listener
    controller.participants.add(listener)
  }

  deinit {
    guard !SessionController.shared.isInChild else { return }
    stop()
    lock.withLock { if client.take()?.close() == .timedOut { isHung = true } }
    // The callback of a client that hangs in closing may still use the memory.
    guard !isHung else { return }
    AppAudio.shared.forgetPorts(of: clientName)
    unsafe context.deinitialize(count: 1)
    unsafe context.deallocate()
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
  }

  /// Opens the callback's input and output; activates the session if the app did not.
  ///
  /// - Throws: `NSError` if the session cannot be active now.
  /// [control-thread]
  public func start() throws {
    try SessionController.shared.checkProcess()
    let ports = unsafe context.pointee.portCount.load(ordering: .relaxed)
    try AppAudio.shared.addPorts(of: clientName, outputs: ports)
    guard AppAudio.shared.setRunning(true, ObjectIdentifier(self)) else {
      AppAudio.shared.setRunning(false, ObjectIdentifier(self))
      throw NSError.session(
        .cannotStartPlaying,
        "the session cannot be active now; call setActive(true) to see the reason",
        rule: "SES-4",
      )
    }
    unsafe context.pointee.isRunning.store(true, ordering: .relaxed)
    try lock.withLock { try connectInputs() }
  }

  /// Connects the inputs with the new input route.
  func followRoute() {
    lock.withLock {
      guard isRunning else { return }
      // If the server has just ended, mediaServicesWereLost follows.
      try? connectInputs()
    }
  }

  var isRunning: Bool { unsafe context.pointee.isRunning.load(ordering: .relaxed) }

  /// Connects the inputs with the route's ports, by the input map.
  func connectInputs() throws {
    guard let connection = client?.connection else { return }
    let ports = SessionController.shared.current.detail?.route.inputs.flatMap(\.jackPorts) ?? []
    let wanted = (0..<inputChannels).map { index -> String? in
      let channel = inputMap?[index] ?? index
      return ports.indices.contains(channel) ? ports[channel] : nil
    }
    do throws(JACKError) {
      try patch.follow(connection, wanted)
    } catch {
      throw NSError.session(.resourceNotAvailable, "\(error)", rule: "CAT-1")
    }
  }

  /// Silences the output and the input.
  /// [control-thread]
  public func stop() {
    // The memory is the child's own, but the session is its parent's.
    guard !SessionController.shared.isInChild else { return }
    unsafe context.pointee.isRunning.store(false, ordering: .relaxed)
    AppAudio.shared.setRunning(false, ObjectIdentifier(self))
  }
}

/// Hands route changes to an ``AudioIO``, which it holds weakly. [any-thread]
final class AudioIOListener: SessionParticipant {
  private let io: WeakBox<AudioIO>

  init(io: AudioIO) { self.io = WeakBox(io) }

  func session(did event: SessionEvent) {
    if case .routeChanged = event { io.value?.followRoute() }
  }
}
