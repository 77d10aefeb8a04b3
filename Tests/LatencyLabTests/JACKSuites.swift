// SPDX-License-Identifier: MIT

import Testing

/// The suites that need a server, one after the other: a process is the client of one at a time.
@Suite(.serialized) enum JACKSuites {}
