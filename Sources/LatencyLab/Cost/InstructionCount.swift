// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import Mixing
import SystemSupport

/// The instructions of a cycle of the mixing engine, as callgrind counts them: a figure that other work of the machine does
/// not change.
///
/// Callgrind has no AVX-512, so the kernels are those of AVX2 there. Runs on the task of its command: [control-thread].
public struct InstructionCount: Sendable {
  /// The programs; `engine-cycles` is counted.
  public var programs: LabPrograms

  /// Makes a count.
  ///
  /// - Parameter programs: The programs to start.
  public init(programs: LabPrograms) { self.programs = programs }

  /// Renders cycles of a mix: the body of `engine-cycles`.
  ///
  /// - Parameters:
  ///   - mix: The mix.
  ///   - cycles: The number of cycles.
  /// - Throws: ``LabError`` `badOption` when the mix is not valid.
  public static func render(_ mix: EngineMix, cycles: Int) throws(LabError) {
    do throws(MixError) {
      try BenchmarkMix(mix.spec, frames: EngineBenchmark().frames).run(cycles: cycles)
    } catch {
      throw LabError(.badOption, error.description)
    }
  }

  /// Counts all mixes.
  ///
  /// - Parameter progress: Called before each of them.
  /// - Returns: The metrics, such as `matrix.scattered.instructions`.
  /// - Throws: ``LabError`` `tool` when valgrind is missing or fails.
  public func run(
    progress: BenchProgress.Handler = { _ in }
  ) async throws(LabError) -> [String: Double] {
    let program = try await stripped()
    defer { try? FileManager.default.removeItem(atPath: program) }
    var metrics: [String: Double] = [:]
    let mixes = EngineMix.allCases
    for (index, mix) in mixes.enumerated() {
      progress(BenchProgress(round: index, of: mixes.count, label: "instructions"))
      // The work before and after the cycles is in both, and leaves with the difference.
      let few = try await count(program, mix, cycles: Self.fewCycles)
      let many = try await count(program, mix, cycles: Self.manyCycles)
      metrics["\(mix.metric).instructions"] =
        (many - few) / Double(Self.manyCycles - Self.fewCycles)
    }
    return metrics
  }

  /// A copy of the program without debug information, which the valgrind of Debian 12 cannot read.
  private func stripped() async throws(LabError) -> String {
    let copy = FileManager.default.temporaryDirectory.appending(path: "engine-cycles-\(getpid())")
      .path(percentEncoded: false)
    _ = try await run(
      "strip",
      of: "binutils",
      ["--strip-debug", "-o", copy, programs.engineCycles]
    )
    return copy
  }

  /// The instructions of one run of the program.
  private func count(
    _ program: String,
    _ mix: EngineMix,
    cycles: Int,
  ) async throws(LabError) -> Double {
    let output = try await run(
      "valgrind",
      of: "valgrind",
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", program, mix.rawValue]
        + ["--cycles", "\(cycles)"],
    )
    guard let count = Self.collected(output.standardError) else {
      throw LabError(.tool, "valgrind: \(output.fault)")
    }
    return count
  }

  private func run(
    _ name: String,
    of package: String,
    _ arguments: [String],
  ) async throws(LabError) -> ToolOutput {
    let tool = ToolProcess(
      name: name,
      package: package,
      // The order of dictionaries, and with it the work before the first cycle, is the same in each run.
      environment: ["SWIFT_DETERMINISTIC_HASHING": "1"],
      timeLimit: .seconds(300),
    )
    do throws(ToolError) {
      let output = try await tool.run(arguments)
      guard output.isSuccess else { throw ToolError("\(name): \(output.fault)") }
      return output
    } catch {
      throw LabError(.tool, error.description)
    }
  }

  /// The sum that callgrind prints at its end: `==123== Collected : 456`.
  static func collected(_ text: String) -> Double? {
    let lines = text.split(separator: "\n").filter { $0.contains("Collected :") }
    return lines.last?.split(separator: " ").last.flatMap { Double($0) }
  }

  private static let fewCycles = 100
  private static let manyCycles = 1100
}

extension EngineMix {
  /// The beginning of its metrics' names.
  var metric: String {
    switch self {
    case .small: "matrix.small"
    case .dense: "matrix.dense"
    case .scattered: "matrix.scattered"
    case .callback: "callback"
    }
  }
}
