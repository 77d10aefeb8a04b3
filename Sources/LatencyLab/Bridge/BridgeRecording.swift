// SPDX-License-Identifier: MIT

import FoundationEssentials

/// The sound at the far side of a bridge with the time of its cycles; the recording process hands it over in a file.
///
/// Pure value: [any-thread].
struct BridgeRecording {
  /// The first line of the file; the samples follow it.
  struct Header: Codable {
    var sampleRateHz: Double
    var frames: Int
    var stampFrames: [Int]
    var stampNanoseconds: [UInt64]
  }

  var sampleRateHz: Double
  /// The tone's channel, and the impulses'.
  var channels: [[Float]]
  var stamps: [CycleStamp]

  /// Writes a line of JSON, then the channels as 32-bit floats.
  func write(to path: String) throws(LabError) {
    let header = Header(
      sampleRateHz: sampleRateHz,
      frames: channels[0].count,
      stampFrames: stamps.map(\.frame),
      stampNanoseconds: stamps.map(\.nanoseconds),
    )
    do {
      var data = try JSONEncoder().encode(header)
      data.append(0x0A)
      for channel in channels {
        unsafe channel.withUnsafeBytes { unsafe data.append(contentsOf: $0) }
      }
      try data.write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw LabError(.badFile, "\(path): \(error)")
    }
  }

  /// Reads what ``write(to:)`` wrote.
  init(readingFrom path: String) throws(LabError) {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let end = data.firstIndex(of: 0x0A),
      let header = try? JSONDecoder().decode(Header.self, from: data[..<end]),
      data.count - end - 1 == 2 * header.frames * MemoryLayout<Float>.size
    else { throw LabError(.badFile, "\(path): no recording of a bridge") }
    let samples = unsafe [Float](unsafeUninitializedCapacity: 2 * header.frames) { buffer, count in
      _ = unsafe data[(end + 1)...].copyBytes(to: buffer)
      count = 2 * header.frames
    }
    sampleRateHz = header.sampleRateHz
    channels = [Array(samples[..<header.frames]), Array(samples[header.frames...])]
    stamps = zip(header.stampFrames, header.stampNanoseconds).map {
      CycleStamp(frame: $0, nanoseconds: $1)
    }
  }

  init(sampleRateHz: Double, channels: [[Float]], stamps: [CycleStamp]) {
    self.sampleRateHz = sampleRateHz
    self.channels = channels
    self.stamps = stamps
  }
}

extension [CycleStamp] {
  /// The due time of a frame in nanoseconds: the median over the cycles around it. [any-thread]
  func nanoseconds(ofFrame frame: Double, rateHz: Double) -> Double? {
    guard count > 32 else { return nil }
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Double(self[middle].frame) < frame { low = middle + 1 } else { high = middle }
    }
    let near = self[Swift.max(0, low - 16)..<Swift.min(count, low + 16)]
    let base = near[near.startIndex].nanoseconds
    let times = near.map { stamp in
      Double(Int64(stamp.nanoseconds) - Int64(base))
        + (frame - Double(stamp.frame)) * 1e9 / rateHz
    }
    return times.median.map { Double(base) + $0 }
  }
}
