// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol
import ControlSocket

/// `set align`: how a route is brought together with the others.
struct SetAlignCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "align",
    abstract: "Align a route: auto, free, or a delay in milliseconds.",
  )
  @OptionGroup var host: HostOption
  @Argument(help: "The route's name.") var route: String
  @Argument(help: ArgumentHelp("auto, free, or 0 to 500 milliseconds.", valueName: "way"))
  var way: String

  private var params: SetAlignment.Params? {
    if let milliseconds = Double(way) {
      return SetAlignment.Params(route: route, mode: .manual, delayMilliseconds: milliseconds)
    }
    guard let mode = AlignmentMode(rawValue: way), mode != .manual else { return nil }
    return SetAlignment.Params(route: route, mode: mode)
  }

  func validate() throws {
    guard params != nil else {
      throw ValidationError("'\(way)': allowed are auto, free, or 0 to 500 (milliseconds)")
    }
  }

  func run() async throws {
    guard let params else { return }
    try await host.withClient { _ = try await $0.call(SetAlignment.self, params) }
  }
}
