// SPDX-License-Identifier: MIT

import CommandSupport
import ControlProtocol

extension Terminal {
  /// Prints the addresses of surfaces on standard error, with a warning about those that let their reader in. [any-thread]
  static func complain(_ addresses: [SurfaceAddress]) {
    for address in addresses {
      let warning = address.hasToken ? " (whoever has this address can move every fader)" : ""
      complain("\(address.kind): \(address.url)\(warning)")
    }
  }
}
