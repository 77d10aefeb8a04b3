// SPDX-License-Identifier: MIT

import Foundation
import SystemSupport
import TestSupport
import Testing

/// The users of TCP connections, from a table as the kernel writes it on a machine with little-endian numbers.
struct ConnectionTests {
  private static let table = """
      sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
       0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 7001 1 0 100 0 0 10 0
       1: 0100007F:D431 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 7002 1 0 20 4 30 10 -1
       2: 0100007F:1F90 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 7003 1 0 20 4 30 10 -1
       3: 0100007F:D432 0100007F:1F90 04 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
       4: 0200007F:D433 0100007F:1F90 01 00000000:00000000 00:00000000 00000000     0        0 7004 1 0 20 4 30 10 -1
    """

  private func user(_ port: Int, at address: String = "127.0.0.1") throws -> UInt32? {
    let tree = try MachineTree(["proc/net/tcp": Self.table])
    return tree.machine().user(
      ofSocketAt: .init(address: address, port: port),
      connectedTo: .init(address: "127.0.0.1", port: 8080)
    )
  }

  @Test func `a connection has the user of its other end`() throws {
    #expect(try user(0xD431) == 1_001)
    #expect(try user(0xD433, at: "127.0.0.2") == 0)
  }

  @Test func `a socket that nobody holds any more is not root's`() throws {
    #expect(try user(0xD432) == nil)
    #expect(try user(0xD434) == nil)
  }

  @Test(arguments: ["::1", "127.0.0", "127.0.0.256", "", "127.0.0.0.1"])
  func `an address of another kind has no user`(address: String) throws {
    #expect(try user(0xD431, at: address) == nil)
  }
}
