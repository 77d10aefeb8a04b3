// SPDX-License-Identifier: MIT

/// The place of ProcessContext of the module JACK.
struct ProcessContext {
  var waitedNanoseconds: UInt64 = 0
}

/// The inside of one cycle, whose time the model sets; it has what the sources under test ask of JACK.
///
/// A value of one thread: [audio-thread].
@safe
public struct ProcessScope: ~Copyable {
  /// Frames in a cycle of the model.
  public static var framesInCycle: UInt32 { @_noLocks @_noAllocation get { 2 } }

  /// Frames in this cycle.
  public let frames: UInt32 = framesInCycle
  /// The frame time of the cycle.
  public let frameTime: UInt32
  let context: UnsafeMutablePointer<ProcessContext>
  private let input: UnsafeMutablePointer<Float>
  private let connections: UnsafePointer<Int>?

  /// Makes the cycle of a number; `connections` has a count for each port number.
  public init(_ cycle: UInt32, connections: UnsafePointer<Int>? = nil) {
    frameTime = cycle &* Self.framesInCycle
    unsafe self.connections = connections
    unsafe context = .allocate(capacity: 1)
    unsafe context.initialize(to: ProcessContext())
    unsafe input = .allocate(capacity: Int(frames))
    unsafe input.initialize(repeating: Float(cycle), count: Int(frames))
  }

  deinit {
    unsafe context.deallocate()
    unsafe input.deallocate()
  }

  /// Samples of an input port: each has the cycle's number.
  @_noLocks @_noAllocation
  public func samples(of port: AudioInputPort) -> UnsafeBufferPointer<Float> {
    unsafe UnsafeBufferPointer(start: UnsafePointer(input), count: Int(frames))
  }

  /// The connections of a port in this cycle.
  @_noLocks @_noAllocation
  public func connectionCount(of port: WatchedPort) -> Int {
    unsafe connections?[Int(port.bits)] ?? 0
  }

  var cycleTimes: (nextMicroseconds: UInt64, periodMicroseconds: Float) {
    @_noLocks @_noAllocation get { (1000, 1000) }
  }
  var nowMicroseconds: UInt64 { @_noLocks @_noAllocation get { 0 } }
  var framesSinceCycleStart: UInt32 { @_noLocks @_noAllocation get { 0 } }
}

/// The place of an input port of JACK. [any-thread]
public struct AudioInputPort: BitwiseCopyable, Sendable {
  /// Makes a port.
  public init() {}
}

/// The place of the number of a port of JACK. [any-thread]
public struct WatchedPort: BitwiseCopyable, Hashable, Sendable {
  /// The number.
  public let bits: UInt

  /// Makes the port of a number.
  @_noLocks @_noAllocation
  public init(bits: UInt) { self.bits = bits }
}
