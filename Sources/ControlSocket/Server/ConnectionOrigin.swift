// SPDX-License-Identifier: MIT

package import ControlProtocol

/// The other end of a connection.
///
/// Pure value: [any-thread].
enum ConnectionOrigin: Sendable {
  /// A process of this machine; nil where the kernel does not say which.
  case process(PeerCredentials?)
  /// A client that another server has let in.
  case guest(ControlGuest)

  /// Whether it may talk to the host.
  var mayControl: Bool {
    switch self {
    case .process(let peer): peer?.mayControl ?? false
    case .guest: true
    }
  }

  /// The process at the other end; nil where it is not known.
  var processID: Int32? {
    if case .process(let peer) = self { peer?.processID } else { nil }
  }

  /// The role that another server has given it.
  var grantedRole: ClientRole? {
    if case .guest(let guest) = self { guest.role } else { nil }
  }

  /// The owner of the account of its use; processes that cannot be identified share one.
  var owner: AccountOwner {
    switch self {
    case .process(let peer): .process(peer?.processID ?? 0)
    case .guest(let guest): .address(guest.address)
    }
  }

  /// Its user and process, or its address, for errors and the log.
  var name: String {
    switch self {
    case .process(let peer?): "user \(peer.userID) (process \(peer.processID))"
    case .process(nil): "an unknown user"
    case .guest(let guest): "address \(guest.address)"
    }
  }
}

/// The owner of an account: all of its connections share it.
///
/// Pure value: [any-thread].
enum AccountOwner: Hashable, Sendable, CustomStringConvertible {
  /// A process of this machine.
  case process(Int32)
  /// An address in the network.
  case address(String)

  /// The kind in one word.
  var kind: String {
    switch self {
    case .process: "process"
    case .address: "address"
    }
  }

  var description: String {
    switch self {
    case .process(let id): "process \(id)"
    case .address(let address): "address \(address)"
    }
  }
}

/// A client that another server has let in, such as that of the page in the browser.
///
/// Pure value: [any-thread].
package struct ControlGuest: Hashable, Sendable {
  /// Its address; the connections of one address share limits as those of one process do.
  package let address: String
  /// The role that it has, whatever it says in a hello.
  package let role: ClientRole

  /// Makes a guest.
  package init(address: String, role: ClientRole) {
    self.address = address
    self.role = role
  }
}
