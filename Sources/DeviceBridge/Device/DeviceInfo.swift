// SPDX-License-Identifier: MIT

/// What control wants of the device, and what its thread says about it; under the link's lock.
struct DeviceInfo: Sendable {
  /// Where the device's thread is.
  enum Stage: String, Sendable {
    case opening
    case open
    case waiting
    case ended
  }

  /// What to ask the device for; nil until JACK's rate is known.
  var wanted: Geometry?
  /// What it gave; nil while it is not open.
  var actual: Geometry?
  var stage = Stage.waiting
  /// Why it is not open, in words.
  var fault: String?
  /// The rate that it had last.
  var lastRateHz: Int?
  /// Why it went away the last time that it did.
  var lastFault: String?
  /// How often it was opened.
  var openings = 0
  /// How often it went away after that.
  var losses = 0

  /// The rate and the buffer of a device.
  struct Geometry: Equatable, Sendable {
    var rateHz: Int
    var periodFrames: Int
    var periods: Int
  }
}
