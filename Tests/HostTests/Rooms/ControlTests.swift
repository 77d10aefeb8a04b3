// SPDX-License-Identifier: MIT

import Testing

@testable import Host

/// The lifetime of a host whose work is postponed.
struct ControlTests {
  @Test func `postponed work keeps the host that it reports to, until it is done`() async throws {
    var house: House? = try House("multiroute: 1\nname: house\n")
    weak let host = house?.host
    let clock = try #require(house?.clock)
    _ = await house?.host.run { rooms in
      rooms.control.task {
        await rooms.control.sleep(.seconds(1))
      }
    }
    await house?.settle()
    house = nil
    #expect(host != nil)
    clock.advance(nanoseconds: 1_000_000_000)
    while host != nil { await Task.yield() }
  }
}
