// SPDX-License-Identifier: MIT

import CMixKernels
import CSpaMixer
import Glibc
import Mixing

/// PipeWire's own mixer (`audio.mixer.dsp`), which sums streams at a port, with memory for its inputs and its output.
///
/// Belongs to the control thread.
@safe
final class PipeWireMixer {
  private let mixer: OpaquePointer
  private let inputs: PlanarBuffer
  private let output: PlanarBuffer

  /// Loads it.
  ///
  /// - Parameters:
  ///   - samples: The samples of each input, all of one length; at most 128 inputs.
  ///   - folder: The folder of PipeWire's plugins; nil takes Debian's.
  ///   - line: The cache line at which inputs, and then the output, begin in their memory.
  /// - Throws: ``LabError`` `tool` when a plugin is missing or refuses.
  init(
    _ samples: [[Float]],
    folder: String? = nil,
    line: () -> Int = { 0 },
  ) throws(LabError) {
    let frames = samples.first?.count ?? 0
    inputs = PlanarBuffer(samples, channels: samples.count, frames: frames, line: line())
    output = PlanarBuffer([], channels: 1, frames: frames, line: line())
    let folder = folder ?? Self.folder
    var fault: UnsafePointer<CChar>?
    guard let target = unsafe output.writable(from: 0)[0],
      let mixer = unsafe spa_mixer_create(
        folder,
        inputs.readable(from: 0),
        UInt32(samples.count),
        target,
        UInt32(frames),
        &fault,
      )
    else {
      let reason = unsafe fault.map { unsafe String(cString: $0) } ?? "no memory"
      throw LabError(
        .tool,
        "PipeWire's mixer: \(reason) in \(folder) (it is in Debian's package libspa-0.2-modules)",
      )
    }
    unsafe self.mixer = mixer
  }

  deinit { unsafe spa_mixer_destroy(mixer) }

  /// Mixes one cycle, over and over.
  ///
  /// - Returns: Whether it did.
  func run(cycles: Int) -> Bool {
    for _ in 0..<cycles where unsafe spa_mixer_process(mixer) != 0 { return false }
    return true
  }

  /// The samples of the last cycle.
  var mixed: [Float] { output.arrays[0] }

  /// `/usr/lib/x86_64-linux-gnu/spa-0.2`, or that of another processor.
  private static var folder: String {
    #if arch(arm64)
      "/usr/lib/aarch64-linux-gnu/spa-0.2"
    #else
      "/usr/lib/x86_64-linux-gnu/spa-0.2"
    #endif
  }
}

/// The mixing kernel against PipeWire's mixer, in turns.
///
/// The kernel also applies a gain to each input, and measures the level of its output, which PipeWire's does not.
///
/// A plain value: [any-thread].
struct PipeWireMixBenchmark: Sendable {
  /// How long it is repeated; a round is a pair.
  var repetition = Repetition(leastRounds: 51, mostSeconds: 1, precision: 0.05)

  private static let inputs = [2, 8, 16, 64]
  private static let frames = [64, 1024]

  /// The kernel's time over PipeWire's, by names such as `kernel.ratioToPipeWire16x64.ratio`.
  ///
  /// - Throws: ``LabError`` `tool` when PipeWire's mixer is missing, or does not mix.
  func figures() throws(LabError) -> [PairedFigure] {
    guard try PipeWireMixer([[0]]).run(cycles: 1) else { throw Self.refusal }
    return Self.inputs.flatMap { inputs in
      Self.frames.map { frames in
        PairedFigure(comparison: comparison(inputs: inputs, frames: frames)) { times, record in
          record.tell("kernel.ratioToPipeWire\(inputs)x\(frames).ratio", times.ratio)
        }
      }
    }
  }

  /// PipeWire's mixer and the kernel with one shape.
  func comparison(inputs count: Int, frames: Int) -> PairedComparison {
    let samples = (0..<count).map { input in
      Array(repeating: 0.01 * Float(input + 1) / Float(count), count: frames)
    }
    let gains = Array(repeating: Float(0.5), count: count)
    let calls = max(1, 2_000_000 / (count * frames))
    return PairedComparison(repetition) { line throws(LabError) in
      let peer = try PipeWireMixer(samples, line: line)
      let sources = PlanarBuffer(samples, channels: count, frames: frames, line: line())
      let target = PlanarBuffer([], channels: 1, frames: frames, line: line())
      return (
        first: { () throws(LabError) in
          guard peer.run(cycles: calls) else { throw Self.refusal }
        },
        second: {
          let inputs = unsafe sources.readable(from: 0)
          guard let output = unsafe target.writable(from: 0)[0] else { return }
          var hidden: Float = 0
          for _ in 0..<calls {
            hidden += unsafe mix_sum(output, inputs, gains, Int32(count), 0, frames).peak
          }
          // The result is used, so that the optimizer cannot omit the work.
          precondition(!hidden.isNaN)
        },
      )
    }
  }

  private static var refusal: LabError { LabError(.tool, "PipeWire's mixer did not mix") }
}
