// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Foundation
public import JACK
internal import Synchronization

/// Raw audio of an app: ports of its own that the host routes, and a callback that computes them.
///
/// The callback is the app's own C function, so that the compiler can prove it as it proves the host's: write it with
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
/// Starting it activates the session where the app did not (SES-4). When the session is interrupted the host silences
/// it; whether it goes on is for the app to say (INT-5). After `mediaServicesWereLost` it is an orphan: drop it.
@safe
public final class AudioIO: @unchecked Sendable {
  private let lock = NSLock()
  private var client: ActiveClient?
  private let context: UnsafeMutablePointer<AudioIOContext>
  private let inputs: UnsafeMutablePointer<AudioInputPort>
  private let outputs: UnsafeMutablePointer<AudioOutputPort>
  private let buffers: UnsafeMutablePointer<AudioIOBuffer>
  private var isHung = false

  /// The client's name at the JACK server.
  public let clientName: String
  /// How many inputs it has.
  public let inputChannels: Int
  /// How many outputs it has.
  public let outputChannels: Int

  /// Opens the ports; nothing runs yet.
  ///
  /// - Parameters:
  ///   - inputChannels: 0 to 64 inputs, connected with those of the input route.
  ///   - outputChannels: 0 to 64 outputs, which sound through the session's strip at the host.
  ///   - state: Handed to `render`; must stay valid until this object is gone.
  ///   - render: The callback, called in every cycle of the JACK server from ``start()`` on.
  /// - Throws: `NSError` where no host or server can be reached, or `badParam`.
  /// [control-thread]
  public init(
    inputChannels: Int,
    outputChannels: Int,
    state: UnsafeMutableRawPointer,
    render: ProcessFunction,
  ) throws {
    guard (0...64).contains(inputChannels), (0...64).contains(outputChannels) else {
      throw NSError.session(
        .badParam,
        "\(inputChannels) inputs and \(outputChannels) outputs cannot be opened",
        offending: "\(inputChannels), \(outputChannels)",
        allowed: ["0…64"],
        rule: "SES-2",
      )
    }
    let controller = SessionController.shared
    let server = try controller.serverName()
    self.inputChannels = inputChannels
    self.outputChannels = outputChannels
    unsafe inputs = .allocate(capacity: max(1, inputChannels))
    unsafe outputs = .allocate(capacity: max(1, outputChannels))
    unsafe buffers = .allocate(capacity: max(1, inputChannels + outputChannels))
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
      for index in 0..<(inputChannels + outputChannels) {
        unsafe (buffers + index).initialize(to: AudioIOBuffer(input: nil, output: nil, count: 0))
      }
      unsafe context.initialize(
        to: AudioIOContext(
          inputs: inputs,
          inputCount: inputChannels,
          outputs: outputs,
          outputCount: outputChannels,
          buffers: buffers,
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
  }

  deinit {
    stop()
    lock.withLock { if client.take()?.close() == .timedOut { isHung = true } }
    // A client that hangs in closing may still use the memory.
    guard !isHung else { return }
    AppAudio.shared.forgetPorts(of: clientName)
    unsafe context.deinitialize(count: 1)
    unsafe context.deallocate()
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
    unsafe buffers.deallocate()
  }

  /// Lets the callback's output be heard and its input come; activates the session where the app did not.
  ///
  /// - Throws: `NSError` where the session cannot be active now.
  /// [control-thread]
  public func start() throws {
    try AppAudio.shared.addPorts(of: clientName, outputs: outputChannels)
    guard AppAudio.shared.setRunning(true, ObjectIdentifier(self)) else {
      AppAudio.shared.setRunning(false, ObjectIdentifier(self))
      throw NSError.session(
        .cannotStartPlaying,
        "the session cannot be active now; activate it to be told why",
        rule: "SES-4",
      )
    }
    let ports = SessionController.shared.current.detail?.route.inputs.flatMap(\.jackPorts) ?? []
    unsafe context.pointee.isRunning.store(true, ordering: .relaxed)
    try lock.withLock {
      guard let connection = client?.connection else { return }
      for (index, port) in ports.prefix(inputChannels).enumerated() {
        do throws(JACKError) {
          _ = try connection.connect(port, to: "\(clientName):in_\(index + 1)")
        } catch {
          throw NSError.session(.resourceNotAvailable, "\(error)", rule: "CAT-1")
        }
      }
    }
  }

  /// Silences the output, and gives silence as input.
  /// [control-thread]
  public func stop() {
    unsafe context.pointee.isRunning.store(false, ordering: .relaxed)
    AppAudio.shared.setRunning(false, ObjectIdentifier(self))
  }
}
