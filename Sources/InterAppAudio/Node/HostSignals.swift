// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// The signals from a node's control side to its callback: whether a host is connected, the host's announcements,
/// and the values of parameters.
///
/// The published node, the tasks that follow its host and the callback own it together; its memory is freed with
/// the last of them, so that a task which still runs while the node closes writes to memory that exists.
/// One task announces; any thread sets the flag.
@safe
final class HostSignals: @unchecked Sendable {
  private let queue = SPSCQueue<HostTransportState>(minimumCapacity: 64)
  private let flag: UnsafeMutablePointer<Atomic<Bool>>
  /// The values that the node's parameters are to have.
  let parameters: ParameterCells

  /// Makes signals of no host, with the first values of parameters. [control-thread]
  init(parameters: [Double] = []) {
    self.parameters = ParameterCells(parameters)
    unsafe flag = .allocate(capacity: 1)
    unsafe flag.initialize(to: Atomic(false))
  }

  deinit {
    unsafe flag.deinitialize(count: 1)
    unsafe flag.deallocate()
    parameters.free()
  }

  /// The sending end of the announcements, for one thread at a time.
  var announcements: SPSCQueue<HostTransportState>.Producer { queue.producer }

  /// The callback's end; the signals must outlive it.
  var receiver: Receiver {
    unsafe Receiver(announcements: queue.consumer, flag: flag, parameters: parameters)
  }

  /// Says whether a host is connected. [any-thread]
  func setConnected(_ isConnected: Bool) {
    unsafe flag.pointee.store(isConnected, ordering: .relaxed)
  }

  /// The end of the audio thread.
  @safe
  struct Receiver: BitwiseCopyable, @unchecked Sendable {
    let announcements: SPSCQueue<HostTransportState>.Consumer
    private let flag: UnsafeMutablePointer<Atomic<Bool>>
    /// The values that the node's parameters are to have.
    let parameters: ParameterCells

    fileprivate init(
      announcements: SPSCQueue<HostTransportState>.Consumer,
      flag: UnsafeMutablePointer<Atomic<Bool>>,
      parameters: ParameterCells,
    ) {
      self.announcements = announcements
      unsafe self.flag = unsafe flag
      self.parameters = parameters
    }

    /// Whether a host is connected.
    ///
    /// [audio-thread] never waits, never allocates.
    var isConnected: Bool {
      @_noLocks @_noAllocation get { unsafe flag.pointee.load(ordering: .relaxed) }
    }
  }
}
