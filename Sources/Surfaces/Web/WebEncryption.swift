// SPDX-License-Identifier: MIT

package import NIOCore

/// The encryption of a web server's connections.
///
/// The server knows no library for it, so that whoever reads what a browser sends does not need one. [any-thread]
package protocol WebEncryption: Sendable {
  /// Makes the part of a new connection that encrypts it. [server-loop]
  func handler() -> any ChannelHandler
}
