// SPDX-License-Identifier: MIT

internal import CZitaResampler
internal import JACK
internal import Realtime
internal import Synchronization

extension BridgeCore {
  /// Resamples the ring's frames to the ports. [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func capture(_ scope: borrowing ProcessScope) {
    var done = 0
    while done < jackPeriodFrames {
      let count = min(Self.pieceFrames, jackPeriodFrames - done)
      receive(frames: count)
      for frame in 0..<(fadeFramesLeft > 0 ? count : 0) {
        let gain = nextFadeGain()
        for channel in 0..<channels { unsafe scratch[frame * channels + channel] *= gain }
      }
      for channel in 0..<channels {
        guard let port = outputs[channel] else { continue }
        let samples = unsafe scope.samples(of: port)
        for frame in 0..<min(count, samples.count - done) {
          unsafe samples[done + frame] = scratch[frame * channels + channel]
        }
      }
      done += count
    }
    silenceUnapproved(scope)
  }

  /// Silences each port that has not exactly its approved connections in this cycle.
  @_noLocks @_noAllocation
  private func silenceUnapproved(_ scope: borrowing ProcessScope) {
    for channel in 0..<channels {
      guard let port = outputs[channel], let approved = approvals[channel],
        !approved.hold(in: scope)
      else { continue }
      let samples = unsafe scope.samples(of: port)
      for frame in 0..<samples.count { unsafe samples[frame] = 0 }
    }
  }

  /// Plays silence, and empties the ring. [audio-thread & active]
  @_noLocks @_noAllocation
  mutating func rest(_ scope: borrowing ProcessScope) {
    reader.discard(frames: reader.readableFrames)
    // Inserted and discarded frames make the two counts differ: the ring's own count is used again.
    ringPosition = Int64(reader.position)
    silentFrames = 0
    owedFrames = 0
    edges = EdgeSmoother(channels: channels)
    for channel in 0..<channels {
      guard let port = outputs[channel] else { continue }
      let samples = unsafe scope.samples(of: port)
      for frame in 0..<samples.count { unsafe samples[frame] = 0 }
    }
  }

  /// Fills the scratch with resampled frames.
  @_noLocks @_noAllocation
  private mutating func receive(frames: Int) {
    var made = 0
    while made < frames {
      payDebt()
      var source: UnsafePointer<Float>?
      var available = silentFrames
      let isSilence = silentFrames > 0
      var isMissing = false
      if !isSilence {
        let region = unsafe reader.regions(maximumFrames: Self.pieceFrames)
        unsafe source = owedFrames == 0 ? UnsafePointer(region.first) : nil
        available = unsafe owedFrames == 0 ? region.firstFrames : 0
      }
      if available == 0 {
        // The device is late: play silence now, and discard the late frames later.
        isMissing = true
        unsafe source = nil
        available = Self.pieceFrames
      }
      let smoothed = unsafe edges.prepare(source, frames: available, in: edgeBuffer)
      if smoothed > 0 {
        unsafe source = UnsafePointer(edgeBuffer)
        available = smoothed
      }
      let counts = unsafe zita_resampler_process(
        resampler,
        source,
        UInt32(available),
        scratch + made * channels,
        UInt32(frames - made),
      )
      let used = Int(counts.input_frames)
      unsafe edges.use(source, frames: used)
      made += Int(counts.output_frames)
      ringPosition += Int64(used)
      if isSilence {
        silentFrames -= used
      } else if isMissing {
        if owedFrames == 0, used > 0 { countMissing() }
        owedFrames += used
      } else {
        reader.discard(frames: used)
      }
    }
  }

  @_noLocks @_noAllocation
  private mutating func payDebt() {
    guard owedFrames > 0 else { return }
    let paid = min(owedFrames, reader.readableFrames)
    reader.discard(frames: paid)
    if paid > 0 { edges.breakOff() }
    owedFrames -= paid
  }

  @_noLocks @_noAllocation
  private func countMissing() {
    unsafe telemetry.pointee.jackXruns.wrappingAdd(1, ordering: .relaxed)
  }
}
