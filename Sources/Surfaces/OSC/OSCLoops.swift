// SPDX-License-Identifier: MIT

internal import ControlProtocol
internal import Synchronization

/// A surface over OSC, as its loops drive it.
///
/// Its members are isolated to the surface. [any-thread]
protocol OSCService: Actor {
  /// Takes in what has arrived, and the number of packets that were dropped meanwhile.
  func take(_ entries: [OSCInbox.Entry], lost: Int) async

  /// Tells clients of changed parameters.
  func tell(_ changes: ParameterChanges) async

  /// Does what time asks for, such as the end of leases.
  ///
  /// - Returns: The time until the next call; nil for none until ``OSCLoops/beginTicks()``.
  func tick() async -> Duration?
}

/// The loops of a surface over OSC: packets come in, changes of the tree go out, and leases end. [any-thread]
final class OSCLoops: Sendable {
  private let tree: any ParameterTree
  private let inbox: OSCInbox
  private let sender: OSCSender
  private let ticks: AsyncStream<Void>
  private let ticker: AsyncStream<Void>.Continuation
  private let tasks = Mutex<[Task<Void, Never>]>([])

  /// Makes the loops of a surface; ``begin(_:)`` begins them.
  init(tree: any ParameterTree, inbox: OSCInbox, sender: OSCSender) {
    self.tree = tree
    self.inbox = inbox
    self.sender = sender
    (ticks, ticker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Begins to drive a surface, which is not kept alive by its loops.
  func begin(_ service: any OSCService) {
    let loops = [
      Task { [weak service, inbox] in
        for await _ in inbox.wakes {
          while !Task.isCancelled {
            let (entries, lost) = inbox.drain()
            guard !entries.isEmpty else { break }
            await service?.take(entries, lost: lost)
          }
        }
      },
      Task { [weak service, tree] in
        for await news in tree.news {
          if case .parameters(let changes) = news { await service?.tell(changes) }
        }
      },
      Task { [weak service, ticks] in
        for await _ in ticks {
          while !Task.isCancelled, let pause = await service?.tick() {
            try? await Task.sleep(for: pause)
          }
        }
      },
    ]
    tasks.withLock { $0 = loops }
  }

  /// Begins to call ``OSCService/tick()``, unless that is under way.
  func beginTicks() { ticker.yield() }

  /// Closes the port, and leaves the tree.
  func end() async {
    await sender.end()
    inbox.close()
    ticker.finish()
    for task in tasks.withLock({ $0 }) { task.cancel() }
    await tree.close()
  }
}
