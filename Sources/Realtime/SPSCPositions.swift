// SPDX-License-Identifier: MIT

public import Synchronization

/// The two positions of a single-producer single-consumer queue, each on cache lines of its own.
///
/// Two lines apart, because x86 prefetches lines in pairs.
@usableFromInline
struct SPSCPositions: ~Copyable {
  /// Elements written since the start; stored by the producer alone.
  @usableFromInline let written = Atomic<Int>(0)
  @usableFromInline let padding = InlineArray<15, Int>(repeating: 0)
  /// Elements read since the start; stored by the consumer alone.
  @usableFromInline let read = Atomic<Int>(0)
  @usableFromInline let padding2 = InlineArray<15, Int>(repeating: 0)

  @inlinable init() {}
}

/// The smallest power of two that is not below `minimum`.
@usableFromInline
func powerOfTwo(atLeast minimum: Int) -> Int {
  minimum <= 1 ? 1 : 1 << (Int.bitWidth - (minimum - 1).leadingZeroBitCount)
}
