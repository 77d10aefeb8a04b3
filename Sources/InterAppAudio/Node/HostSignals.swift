// SPDX-License-Identifier: MIT

internal import Realtime
internal import Synchronization

/// The signals from a node's control side to its callback: whether a host is connected, and the host's announcements.
///
/// The published node, the tasks that follow its host and the callback own it together; its memory is freed with
/// the last of them, so that a task which still runs while the node closes writes to memory that exists.
/// One task announces; any thread sets the flag.
@safe
final class HostSignals: @unchecked Sendable {
  private let queue = SPSCQueue<HostTransportState>(minimumCapacity: 64)
  private let flag: UnsafeMutablePointer<Atomic<Bool>>

  /// Makes signals of no host. [control-thread]
  init() {
    unsafe flag = .allocate(capacity: 1)
    unsafe flag.initialize(to: Atomic(false))
  }

  deinit {
    unsafe flag.deinitialize(count: 1)
    unsafe flag.deallocate()
  }

  /// The sending end of the announcements, for one thread at a time.
  var announcements: SPSCQueue<HostTransportState>.Producer { queue.producer }

  /// The callback's end; the signals must outlive it.
  var receiver: Receiver { unsafe Receiver(announcements: queue.consumer, flag: flag) }

  /// Says whether a host is connected. [any-thread]
  func setConnected(_ isConnected: Bool) {
    unsafe flag.pointee.store(isConnected, ordering: .relaxed)
  }

  /// The end of the audio thread.
  @safe
  struct Receiver: BitwiseCopyable, @unchecked Sendable {
    let announcements: SPSCQueue<HostTransportState>.Consumer
    private let flag: UnsafeMutablePointer<Atomic<Bool>>

    fileprivate init(
      announcements: SPSCQueue<HostTransportState>.Consumer,
      flag: UnsafeMutablePointer<Atomic<Bool>>,
    ) {
      self.announcements = announcements
      unsafe self.flag = unsafe flag
    }

    /// Whether a host is connected.
    ///
    /// [audio-thread] never waits, never allocates.
    var isConnected: Bool {
      @_noLocks @_noAllocation get { unsafe flag.pointee.load(ordering: .relaxed) }
    }
  }
}
