// SPDX-License-Identifier: MIT

import Foundation

/// The sox command, which makes and reads files independently of us.
enum Sox {
  struct Failure: Error {
    let arguments: [String]
    let status: Int32
  }

  /// Runs sox and waits for its success.
  static func run(_ arguments: String...) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sox", "-V1", "-R", "-D"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(arguments: arguments, status: process.terminationStatus)
    }
  }
}

/// The sounds that come with the graphs.
enum Media {
  static let names = ["click.mp3", "deck-a.flac", "deck-b.flac", "deck-b.ogg", "voice.wav"]

  static func path(_ name: String, from file: String = #filePath) -> String {
    URL(filePath: file).deletingLastPathComponent()
      .appending(path: "../../graphs/media/" + name).standardized.path(percentEncoded: false)
  }
}
