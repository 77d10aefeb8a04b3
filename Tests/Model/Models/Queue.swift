// SPDX-License-Identifier: MIT

/// An element of two words, which a reader could see half written.
private struct Pair: BitwiseCopyable {
  var first: Int
  var second: Int
}

/// The producer sends elements one by one as far as there is room; the consumer takes what is there.
func queueModel(pushes: Int, pops: Int, peeks: Bool) -> Model {
  Model(
    name: "SPSCQueue, single elements\(peeks ? ", peeked" : "")",
    bounds: "capacity 2, \(pushes) pushes, \(pops) pops",
    makeRun: {
      let queue = SPSCQueue<Pair>(minimumCapacity: 2)
      let producer = queue.producer
      let consumer = queue.consumer
      let owner = QueueOwner(queue)
      let sent = makeCounter()
      let taken = makeCounter()
      return Run(
        threads: [
          {
            for _ in 0..<pushes where producer.push(Pair(first: sent.pointee, second: sent.pointee))
            {
              sent.pointee += 1
            }
          },
          {
            for _ in 0..<pops {
              if peeks, let pair = consumer.peek() {
                require(
                  pair.first == taken.pointee && pair.second == pair.first,
                  "a peeked element is not the next"
                )
              }
              guard let pair = consumer.pop() else { continue }
              require(
                pair.first == taken.pointee && pair.second == pair.first,
                "an element is not the next"
              )
              taken.pointee += 1
            }
          },
        ],
        finish: {
          while let pair = consumer.pop() {
            require(pair.first == taken.pointee, "an element is missing at the end")
            taken.pointee += 1
          }
          require(sent.pointee == taken.pointee, "elements were lost")
          sent.deallocate()
          taken.deallocate()
          withExtendedLifetime(owner) {}
        },
      )
    },
  )
}

/// Elements in twos, which are seen both or not at all; room and number are asked for first.
func batchModel(batches: Int) -> Model {
  Model(
    name: "SPSCQueue, batches",
    bounds: "capacity 2, \(batches) batches of 2, room and number asked for first",
    makeRun: {
      let queue = SPSCQueue<Pair>(minimumCapacity: 2)
      let producer = queue.producer
      let consumer = queue.consumer
      let owner = QueueOwner(queue)
      let source = UnsafeMutablePointer<Pair>.allocate(capacity: 2 * batches)
      for index in 0..<2 * batches { source[index] = Pair(first: index, second: index) }
      let sent = makeCounter()
      let taken = makeCounter()
      return Run(
        threads: [
          {
            for _ in 0..<batches {
              let hasRoom = producer.freeCount >= 2
              let batch = UnsafeBufferPointer(start: UnsafePointer(source) + sent.pointee, count: 2)
              if producer.push(contentsOf: batch) {
                sent.pointee += 2
                require(producer.position == sent.pointee, "the producer's position is wrong")
              } else {
                require(!hasRoom, "a batch is refused though there was room")
              }
            }
          },
          {
            for _ in 0..<batches {
              let count = consumer.availableCount
              require(count % 2 == 0, "half a batch is seen")
              for _ in 0..<count {
                let pair = consumer.pop()
                require(pair?.first == taken.pointee, "an element that was counted is not the next")
                taken.pointee += 1
              }
              require(consumer.position == taken.pointee, "the consumer's position is wrong")
            }
          },
        ],
        finish: {
          require(consumer.writtenPosition == sent.pointee, "elements were lost")
          source.deallocate()
          sent.deallocate()
          taken.deallocate()
          withExtendedLifetime(owner) {}
        },
      )
    },
  )
}

/// Keeps a queue's memory for as long as its ends are used.
final class QueueOwner<Element: BitwiseCopyable> {
  private let queue: SPSCQueue<Element>

  init(_ queue: consuming SPSCQueue<Element>) { self.queue = queue }
}
