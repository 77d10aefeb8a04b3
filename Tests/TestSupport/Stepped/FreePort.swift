// SPDX-License-Identifier: MIT

internal import Glibc

/// A UDP port of this machine that nobody has at this moment.
///
/// - Returns: The port.
/// - Throws: ``TestFailure`` when the system has none.
func freeUDPPort() throws -> UInt16 {
  let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
      guard unsafe bind(descriptor, generic, length) == 0 else { return Int32(-1) }
      return unsafe getsockname(descriptor, generic, &length)
    }
  }
  guard result == 0 else { throw TestFailure("the system has no free UDP port") }
  return UInt16(bigEndian: address.sin_port)
}
