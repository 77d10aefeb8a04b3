// SPDX-License-Identifier: MIT

/// Starts or ends the frames of levels for a page in the browser, which only its WebSocket has.
///
/// Pure value: [any-thread].
package enum WebMeters: ControlMethod {
  /// The name on the wire.
  package static let name = "webMeters"

  /// The parameters of the request.
  package struct Params: ControlParams {
    /// Whether frames are sent.
    package var on: Bool

    /// Makes the parameters.
    package init(on: Bool) { self.on = on }

    /// The parameters with their allowed values.
    package static let fields: [ParamField<Params>] = [
      ParamField("on", allowed: "true or false")
    ]
  }

  /// The result has no values.
  package typealias Result = NoResult
}

/// The places whose levels the frames of one generation have, in their order: the parameters of the notification `webPlaces`.
///
/// Pure value: [any-thread].
package struct WebPlaces: Codable, Hashable, Sendable {
  /// The name of the notification on the wire.
  package static let method = "webPlaces"

  /// A strip or a route.
  package struct Place: Codable, Hashable, Sendable {
    /// Its path in the tree of parameters.
    package var path: String
    /// The number of its channels.
    package var channels: Int

    /// Makes the value from its parts.
    package init(path: String, channels: Int) {
      self.path = path
      self.channels = channels
    }
  }

  /// The number that the frames of these places bear.
  package var generation: UInt32
  /// The places.
  package var places: [Place]

  /// Makes the value from its parts.
  package init(generation: UInt32, places: [Place]) {
    self.generation = generation
    self.places = places
  }
}
