// SPDX-License-Identifier: MIT

/// Those that wait for a turn: the smallest debt of a process first, then that of a connection, then the longest wait.
///
/// The debts are those at the time of the choice, as they change while connections of the same process have their turns.
/// [server-loop]
struct TurnQueue<Member> {
  private struct Entry {
    var account: ConnectionAccount
    var arrival: UInt64
    var member: Member

    /// Its place: the smallest comes first.
    func place(nowNanoseconds: UInt64) -> (process: UInt64, connection: UInt64, arrival: UInt64) {
      let process = account.process.time.clear(nowNanoseconds: nowNanoseconds)
      return (process, account.time.clear(nowNanoseconds: nowNanoseconds), arrival)
    }
  }

  private var entries: [Entry] = []
  private var arrivals: UInt64 = 0

  /// Whether nobody waits.
  var isEmpty: Bool { entries.isEmpty }

  /// Adds a member behind those of the same debt.
  mutating func add(_ member: Member, of account: ConnectionAccount) {
    arrivals += 1
    entries.append(Entry(account: account, arrival: arrivals, member: member))
  }

  /// Takes the member whose turn it is.
  mutating func popFirst(nowNanoseconds: UInt64) -> Member? {
    guard var first = entries.indices.first else { return nil }
    var smallest = entries[first].place(nowNanoseconds: nowNanoseconds)
    for index in entries.indices.dropFirst() {
      let place = entries[index].place(nowNanoseconds: nowNanoseconds)
      guard place < smallest else { continue }
      smallest = place
      first = index
    }
    entries.swapAt(first, entries.endIndex - 1)
    return entries.removeLast().member
  }
}
