// SPDX-License-Identifier: MIT

import ArgumentParser
import LatencyLab
import Logging

/// `multiroute bench bridge-card`: the playing end of `bench bridge` where no bridge is between.
struct BridgeCardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge-card",
    abstract: "Play a tone and impulses to an ALSA device, with the time of each wake-up.",
    shouldDisplay: false,
  )

  @Option(help: "The ALSA device.")
  var device: String

  @Option(help: "Its rate in Hz.")
  var rate: Int

  @Option(help: "Its period in frames.")
  var frames: Int

  @Option(help: "How long, in seconds.")
  var seconds: Double

  @Option(help: "The file to write.")
  var out: String

  func run() throws {
    Log.begin(at: .warning)
    do throws(LabError) {
      try CardPlayer.run(
        deviceName: device,
        rateHz: rate,
        periodFrames: frames,
        seconds: seconds,
        path: out,
      )
    } catch {
      Terminal.complain("error: \(error)")
      throw ExitCode.unavailable
    }
  }
}
