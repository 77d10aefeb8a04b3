// SPDX-License-Identifier: MIT

/// The machine a report was made on: its first line.
public struct MachineDescription: Equatable, Sendable, Codable {
  /// Host name.
  public var hostName: String
  /// Kernel release and version, such as `6.1.0-18-rt-amd64 #1 SMP PREEMPT_RT`.
  public var kernel: String
  /// Preemption model: `none`, `voluntary`, `full`, `dynamic`, `realtime` or
  /// `unknown`.
  public var preemption: String
  /// Model name of the processor.
  public var processor: String
  /// Number of processors on line.
  public var processorCount: Int
  /// Frequency governor of the first processor; nil where there is none.
  public var governor: String?
  /// Highest real-time priority this process may take (`ulimit -r`).
  public var realtimePriorityLimit: Int
  /// Memory this process may lock in bytes (`ulimit -l`); nil without a limit.
  public var lockedMemoryLimitBytes: UInt64?
  /// Memory of the machine in bytes.
  public var memoryBytes: UInt64
  /// The JACK server and library, such as `jackd2 1.9.21, dummy`; nil where none was used.
  public var server: String?
  /// Versions by program, such as `multiroute` and `swift`.
  public var versions: [String: String]

  /// Describes a machine; ``current(server:versions:)`` describes this one.
  public init(
    hostName: String,
    kernel: String,
    preemption: String,
    processor: String,
    processorCount: Int,
    governor: String?,
    realtimePriorityLimit: Int,
    lockedMemoryLimitBytes: UInt64?,
    memoryBytes: UInt64,
    server: String? = nil,
    versions: [String: String] = [:],
  ) {
    self.hostName = hostName
    self.kernel = kernel
    self.preemption = preemption
    self.processor = processor
    self.processorCount = processorCount
    self.governor = governor
    self.realtimePriorityLimit = realtimePriorityLimit
    self.lockedMemoryLimitBytes = lockedMemoryLimitBytes
    self.memoryBytes = memoryBytes
    self.server = server
    self.versions = versions
  }
}
