// SPDX-License-Identifier: MIT

import Explorer

/// Control publishes plans and frees them; the audio thread reads the one in force, and reports each that it has left.
func planModel(plans: Int, cycles: Int) -> Model {
  Model(
    name: "PlanCell and its retire queue",
    bounds: "\(plans) plans, \(cycles) cycles",
    makeRun: {
      let cell = CellOwner()
      let endpoint = cell.endpoint
      let queue = SPSCQueue<UnsafeMutablePointer<Int>>(minimumCapacity: 4)
      let retiring = queue.producer
      let retired = queue.consumer
      let queueOwner = QueueOwner(queue)
      let memory = UnsafeMutablePointer<Int>.allocate(capacity: plans)
      let freed = makeCounter()
      let inForce = UnsafeMutablePointer<UnsafeMutablePointer<Int>?>.allocate(capacity: 1)
      inForce.initialize(to: nil)
      return Run(
        threads: [
          {
            for number in 0..<plans {
              memory[number] = number + 1
              if let overtaken = cell.publish(memory + number) {
                explorer_free(overtaken, UInt64(MemoryLayout<Int>.size))
                freed.pointee += 1
              }
              while let plan = retired.pop() {
                explorer_free(plan, UInt64(MemoryLayout<Int>.size))
                freed.pointee += 1
              }
            }
          },
          {
            var last = 0
            for _ in 0..<cycles {
              if let newest = endpoint.take() {
                require(newest.pointee > last, "a plan is older than the one in force")
                if let old = inForce.pointee {
                  require(retiring.push(old), "no room to retire a plan")
                }
                inForce.pointee = newest
              }
              if let plan = inForce.pointee {
                last = plan.pointee
                require(last >= 1 && last <= plans, "a plan is not whole")
              }
            }
          },
        ],
        finish: {
          while retired.pop() != nil { freed.pointee += 1 }
          let waiting = endpoint.take() == nil ? 0 : 1
          let used = inForce.pointee == nil ? 0 : 1
          require(freed.pointee + waiting + used == plans, "a plan is lost, or freed twice")
          memory.deallocate()
          freed.deallocate()
          inForce.deallocate()
          withExtendedLifetime((cell, queueOwner)) {}
        },
      )
    },
  )
}

/// Keeps a cell's memory for as long as its ends are used.
private final class CellOwner {
  private let cell = PlanCell<Int>()

  var endpoint: PlanCell<Int>.Endpoint { cell.endpoint }

  func publish(_ plan: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int>? {
    cell.publish(plan)
  }
}
