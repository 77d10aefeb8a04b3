// SPDX-License-Identifier: MIT

/// The ways to write to a ring and to read from it.
enum RingWay { case interleaved, planar, regions }

/// Frames cross in blocks of two, of two channels each.
func ringModel(_ way: RingWay, blocks: Int) -> Model {
  Model(
    name: "AudioRing, \(way)",
    bounds: "2 frames, 2 channels, \(blocks) blocks of 1 and 2 frames each way",
    makeRun: {
      let owner = RingOwner(AudioRing(minimumFrames: 2, channels: 2))
      let writer = owner.writer
      let reader = owner.reader
      let sent = makeCounter()
      let taken = makeCounter()
      return Run(
        threads: [
          {
            for block in 0..<blocks {
              sent.pointee += write(writer, way, 1 + block % 2, from: sent.pointee)
            }
          },
          {
            for block in 0..<blocks {
              taken.pointee += read(reader, way, 2 - block % 2, from: taken.pointee)
            }
          },
        ],
        finish: {
          require(
            writer.position == sent.pointee && reader.position == taken.pointee,
            "a position is wrong"
          )
          while true {
            let count = read(reader, way, 1, from: taken.pointee)
            if count == 0 { break }
            taken.pointee += count
          }
          require(sent.pointee == taken.pointee, "frames were lost")
          sent.deallocate()
          taken.deallocate()
          withExtendedLifetime(owner) {}
        },
      )
    },
  )
}

/// The sample of a channel in a frame of the stream.
private func sample(_ frame: Int, _ channel: Int) -> Float { Float(2 * frame + channel + 1) }

private func write(_ writer: AudioRingWriter, _ way: RingWay, _ frames: Int, from first: Int) -> Int
{
  withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { block in
    guard let base = block.baseAddress else { return 0 }
    let isPlanar = way == .planar
    for frame in 0..<frames {
      for channel in 0..<2 {
        base[isPlanar ? 2 * channel + frame : 2 * frame + channel] = sample(first + frame, channel)
      }
    }
    switch way {
    case .interleaved: return writer.write(base, frames: frames)
    case .planar:
      return withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: 2) { planes in
        planes[0] = UnsafePointer(base)
        planes[1] = UnsafePointer(base + 2)
        guard let planes = planes.baseAddress else { return 0 }
        return writer.writePlanar(planes, frames: frames) ? frames : 0
      }
    case .regions:
      let regions = writer.regions(maximumFrames: frames)
      for frame in 0..<regions.frames {
        let place = place(frame, in: regions)
        for channel in 0..<2 { place[channel] = sample(first + frame, channel) }
      }
      let free = writer.writableFrames
      require(free >= regions.frames, "room that was there has gone")
      writer.commit(frames: regions.frames)
      return regions.frames
    }
  }
}

private func read(_ reader: AudioRingReader, _ way: RingWay, _ frames: Int, from first: Int) -> Int
{
  withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { block in
    guard let base = block.baseAddress else { return 0 }
    var count = 0
    switch way {
    case .interleaved: count = reader.read(into: base, frames: frames)
    case .planar:
      count = withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: 2) {
        planes in
        planes[0] = base
        planes[1] = base + 2
        guard let planes = planes.baseAddress else { return 0 }
        return reader.readPlanar(into: planes, frames: frames)
      }
    case .regions:
      let regions = reader.regions(maximumFrames: frames)
      for frame in 0..<regions.frames {
        let place = place(frame, in: regions)
        for channel in 0..<2 { base[2 * frame + channel] = place[channel] }
      }
      count = regions.frames
      reader.discard(frames: count)
    }
    for frame in 0..<count {
      for channel in 0..<2 {
        let read = base[way == .planar ? 2 * channel + frame : 2 * frame + channel]
        require(read == sample(first + frame, channel), "a frame is not the next")
      }
    }
    return count
  }
}

private func place(_ frame: Int, in regions: AudioRingRegions) -> UnsafeMutablePointer<Float> {
  frame < regions.firstFrames
    ? regions.first + 2 * frame : regions.second + 2 * (frame - regions.firstFrames)
}

/// Keeps a ring's memory for as long as its ends are used.
private final class RingOwner {
  private let ring: AudioRing

  init(_ ring: consuming AudioRing) { self.ring = ring }

  var writer: AudioRingWriter { ring.writer }
  var reader: AudioRingReader { ring.reader }
}
