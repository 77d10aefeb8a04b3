// SPDX-License-Identifier: MIT

import ArgumentParser
import ControlProtocol

/// What a gain or mute applies to: `--strip`, `--route`, or both for the send between them.
struct MixTargetOptions: ParsableArguments {
  @Option(help: "A strip's id; together with --route the send between them.")
  var strip: String?

  @Option(help: "A route's name.")
  var route: String?

  /// The target, or nil when neither is given.
  var target: MixTarget? { MixTarget(strip: strip, route: route) }

  /// The target.
  ///
  /// - Throws: A usage error when neither is given.
  func required() throws -> MixTarget {
    guard let target else {
      throw ValidationError("name what to change: --strip, --route, or both for a send")
    }
    return target
  }
}
