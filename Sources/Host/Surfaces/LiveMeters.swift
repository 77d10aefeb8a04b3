// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import ControlSocket
internal import FoundationEssentials
internal import Surfaces
internal import Synchronization

/// The levels for pages in browsers: one frame for all of them, and a later one for those that read slowly. [any-thread]
final class LiveMeters: Sendable {
  private struct Reader {
    let link: WebLink
    var frames = MeterFrames()
  }

  private struct State {
    var readers: [ObjectIdentifier: Reader] = [:]
    var places: [WebPlaces.Place] = []
    var generation: UInt32 = 0
  }

  private let state = Mutex(State())
  private let levels: AsyncStream<Meters>
  private let stream: AsyncStream<Meters>.Continuation

  /// Has no readers yet.
  init() {
    // A late task loses the oldest levels of those that wait, a fifth of a second.
    (levels, stream) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
  }

  /// Whether there are readers.
  var isWatched: Bool { state.withLock { !$0.readers.isEmpty } }

  /// Sends frames over a link, or ends that.
  func send(over link: WebLink, _ isOn: Bool) {
    state.withLock { state in
      let key = ObjectIdentifier(link)
      state.readers[key] = isOn ? state.readers[key] ?? Reader(link: link) : nil
    }
  }

  /// Takes in levels, and returns at once.
  func take(_ meters: Meters) { stream.yield(meters) }

  /// Ends ``run()``.
  func end() { stream.finish() }

  /// Sends all levels as frames, until ``end()``.
  func run() async {
    for await meters in levels { publish(meters) }
  }

  private func publish(_ meters: Meters) {
    let frame = MeterFrame(meters)
    state.withLock { state in
      guard !state.readers.isEmpty else { return }
      if frame.places != state.places {
        state.places = frame.places
        state.generation &+= 1
      }
      let generation = state.generation
      let places = WebPlaces(generation: generation, places: frame.places)
      let bytes = WebMessage.binary(frame.bytes(generation: generation))
      for key in state.readers.keys {
        guard let link = state.readers[key]?.link else { continue }
        let messages = state.readers[key]?.frames.take(
          meters,
          as: bytes,
          of: places,
          waitingBytes: link.waitingBytes,
        )
        for message in messages ?? [] { link.send(message) }
      }
    }
  }
}

/// The frames for one page: levels that it reads too slowly for are folded into its next frame.
///
/// Pure value: [any-thread].
struct MeterFrames {
  /// The bytes that may wait for a reader before it gets no more frames; some seconds of levels.
  static let behindBytes = 65_536

  /// The generation of places that the page knows.
  private var generation: UInt32?
  /// The levels that it has missed.
  private var missed: MetersAccumulator?

  /// Takes in levels.
  ///
  /// - Parameters:
  ///   - meters: The levels.
  ///   - frame: Their frame, which is the same for all pages.
  ///   - places: The places of the frame.
  ///   - waitingBytes: The bytes that the page has not read yet.
  /// - Returns: The messages to send now.
  mutating func take(
    _ meters: Meters,
    as frame: WebMessage,
    of places: WebPlaces,
    waitingBytes: Int,
  ) -> [WebMessage] {
    guard waitingBytes <= Self.behindBytes else {
      missed = missed ?? MetersAccumulator()
      missed?.add(meters)
      return []
    }
    var messages: [WebMessage] = []
    if generation != places.generation,
      let line = try? MessageEncoder().notification(WebPlaces.method, places)
    {
      messages.append(.text(String(decoding: line, as: UTF8.self)))
      generation = places.generation
    }
    missed?.add(meters)
    let folded = missed?.take().map { MeterFrame($0).bytes(generation: places.generation) }
    missed = nil
    return messages + [folded.map { .binary($0) } ?? frame]
  }
}
