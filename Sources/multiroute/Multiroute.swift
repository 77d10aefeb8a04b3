// SPDX-License-Identifier: MIT

import ArgumentParser

/// The command line: parsing and wiring only.
@main
struct Multiroute: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "multiroute",
    abstract: "Several output routes, inter-app audio and audio sessions for JACK.",
  )
}
