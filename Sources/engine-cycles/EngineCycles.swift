// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab

/// Renders cycles of the mixing engine, and ends: callgrind counts its instructions for `multiroute bench mix`.
///
/// A program of its own, because callgrind cannot run an asynchronous `main`.
@main
struct EngineCycles: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "engine-cycles",
    abstract: "Render cycles of the mixing engine, without JACK.",
  )

  @Argument(
    help: "The mix.",
    transform: { word in
      guard let mix = EngineMix(rawValue: word) else {
        let allowed = EngineMix.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("no mix is named '\(word)'; allowed: \(allowed)")
      }
      return mix
    }
  )
  var mix: EngineMix

  @Option(help: "The number of cycles.")
  var cycles: Int

  func run() throws { try InstructionCount.render(mix, cycles: cycles) }
}
