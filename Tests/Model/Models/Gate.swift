// SPDX-License-Identifier: MIT

/// Control watches one port after another, each with a limit of its own, while cycles ask whether the gate is shut.
///
/// Port 1 has too many connections for its limit, and port 2 is within it; of either port the other one's limit says
/// the opposite. Each cycle's answer must be that of a port with its own limit.
func gateModel(cycles: Int) -> Model {
  Model(
    name: "InputGateCell",
    bounds: "watch, watch, release, watch; \(cycles) cycles",
    makeRun: {
      let gate = InputGateCell()
      let connections = UnsafeMutablePointer<Int>.allocate(capacity: 3)
      connections[0] = 0
      connections[1] = 2
      connections[2] = 4
      return Run(
        threads: [
          {
            gate.watch(WatchedPort(bits: 1), limit: 3)
            gate.watch(WatchedPort(bits: 2), limit: 5)
            gate.release()
            gate.watch(WatchedPort(bits: 1), limit: 3)
          },
          {
            for cycle in 0..<cycles {
              let scope = ProcessScope(UInt32(cycle), connections: connections)
              require(!gate.isShut(in: scope), "a port is measured by the limit of another one")
            }
          },
        ],
        finish: {
          connections[1] = 4
          let scope = ProcessScope(9, connections: connections)
          require(gate.isShut(in: scope), "the gate is open beside a direct connection")
          gate.release()
          require(!gate.isShut(in: scope), "a released gate is shut")
          connections.deallocate()
          gate.free()
        },
      )
    },
  )
}

/// The port is new to the audio thread: what control wrote before it watched is seen.
func gateMessageModel() -> Model {
  Model(
    name: "InputGateCell, the port's own memory",
    bounds: "1 watch, 1 cycle",
    makeRun: {
      let gate = InputGateCell()
      let connections = UnsafeMutablePointer<Int>.allocate(capacity: 2)
      connections.initialize(repeating: 0, count: 2)
      let isShut = makeCounter()
      return Run(
        threads: [
          {
            connections[1] = 7
            gate.watch(WatchedPort(bits: 1), limit: 3)
          },
          { isShut.pointee = gate.isShut(in: ProcessScope(1, connections: connections)) ? 1 : 0 },
        ],
        finish: {
          require(gate.isShut(in: ProcessScope(2, connections: connections)), "the gate is open")
          isShut.deallocate()
          connections.deallocate()
          gate.free()
        },
      )
    },
  )
}
