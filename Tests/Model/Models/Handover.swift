// SPDX-License-Identifier: MIT

import Explorer

/// Memory of one thread, in which it counts.
func makeCounter() -> UnsafeMutablePointer<Int> {
  let counter = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  unsafe counter.initialize(to: 0)
  return unsafe counter
}

/// The taking side reads and changes all samples that it was given: they are those of its cycle.
private func use(_ handover: CycleHandover, cycle: UInt32) {
  for channel in 0..<handover.channels {
    let samples = unsafe handover.samples(channel)
    for frame in 0..<Int(ProcessScope.framesInCycle) {
      require(unsafe samples[frame] == Float(cycle), "samples of another cycle")
      // As the outlet does.
      unsafe samples[frame] *= 2
    }
  }
}

/// Both callbacks run as late as they like; cycles without one of them are left out.
func handoverModel(giving: [UInt32], taking: [UInt32]) -> Model {
  Model(
    name: "CycleHandover gives \(giving), takes \(taking)",
    bounds: "2 channels, a wait may end by its deadline",
    makeRun: {
      let handover = CycleHandover(channels: 2)
      let port = UnsafeMutablePointer<AudioInputPort>.allocate(capacity: 2)
      unsafe port.initialize(repeating: AudioInputPort(), count: 2)
      return Run(
        threads: [
          {
            for cycle in giving {
              let scope = ProcessScope(cycle)
              unsafe handover.give(port, scope)
            }
          },
          {
            for cycle in taking {
              let scope = ProcessScope(cycle)
              if handover.take(scope, until: 2000) { use(handover, cycle: cycle) }
            }
          },
        ],
        finish: {
          unsafe port.deallocate()
          handover.free()
        },
      )
    },
  )
}

/// The mix and the outlet of a route, each as late as it likes: what the outlet plays is of its own cycle throughout.
func outletModel(cycles: [UInt32]) -> Model {
  Model(
    name: "OutletLink",
    bounds: "1 channel and its shares, cycles \(cycles) of both",
    makeRun: {
      let link = OutletLink(channels: 1)
      return Run(
        threads: [
          {
            for cycle in cycles {
              let scope = ProcessScope(cycle)
              _ = link.playing.isAlive(scope)
              for channel in 0...1 {
                let samples = link.share.next(channel)
                for frame in 0..<Int(scope.frames) { samples[frame] = Float(cycle) }
              }
              link.share.give(scope)
            }
          },
          {
            for cycle in cycles {
              let scope = ProcessScope(cycle)
              link.playing.give(scope)
              if link.share.take(scope, until: 2000) { use(link.share, cycle: cycle) }
            }
          },
        ],
        finish: {
          guard let last = cycles.last else { return }
          let next = ProcessScope(last + 1)
          require(
            link.playing.isAlive(next),
            "an outlet that has just played does not count as alive"
          )
          require(
            !link.playing.isAlive(ProcessScope(last + 2)),
            "an outlet that has stopped counts as alive"
          )
          link.free()
        },
      )
    },
  )
}

/// A taker that gives up after a miss: what it takes is of its cycle.
func takerModel(giving: [UInt32], taking: [UInt32]) -> Model {
  Model(
    name: "ReturnTaker gives \(giving), takes \(taking)",
    bounds: "1 channel, a hold of 1 cycle after a miss",
    makeRun: {
      let handover = CycleHandover(channels: 1)
      let port = UnsafeMutablePointer<AudioInputPort>.allocate(capacity: 1)
      port.initialize(to: AudioInputPort())
      let taker = UnsafeMutablePointer<ReturnTaker>.allocate(capacity: 1)
      let rate = Double(ProcessScope.framesInCycle) / ReturnTaker.holdSeconds
      taker.initialize(to: ReturnTaker(handover: handover, sampleRateHz: rate))
      return Run(
        threads: [
          { for cycle in giving { handover.give(port, ProcessScope(cycle)) } },
          {
            for cycle in taking {
              let scope = ProcessScope(cycle)
              if case .here = taker.pointee.take(isWanted: true, until: 2000, scope) {
                use(handover, cycle: cycle)
              }
            }
          },
        ],
        finish: {
          require(
            taker.pointee.missCount <= taker.pointee.missedCycleCount,
            "more misses than missed cycles"
          )
          taker.deinitialize(count: 1)
          taker.deallocate()
          port.deallocate()
          handover.free()
        },
      )
    },
  )
}
