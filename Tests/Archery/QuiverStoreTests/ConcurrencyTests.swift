import Dispatch
import QuiverRules
import QuiverStore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ConcurrencyTests {
  @Test("Each command of many threads has one effect, with repeated keys and late failures")
  func storm() throws {
    // Room for all commands of a principal, whose share is an eighth of the queue.
    let store = try TemporaryDirectory().open(queuedCommands: 8 * 8 * 150)
    let threads = 8
    let commands = 150
    let target = RecordingTarget(expecting: threads * commands)
    let results = Results()
    let seed = TestSeed.value
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for step in 0..<commands {
        let index = thread * commands + step
        let storm = Storm(seed: seed, index: index)
        store.submit(
          storm, storm.options, target: target, encode: { [UInt8](String($0).utf8) },
          completion: { results.set(index, $0) })
      }
    }
    target.wait()
    var effects: Set<[UInt8]> = []
    var repliesByKey: [[UInt8]: Set<[UInt8]>] = [:]
    for index in 0..<(threads * commands) {
      let storm = Storm(seed: seed, index: index)
      let key = storm.options.idempotency?.key
      if let reply = results.reply(index) {
        // What fails by itself may still be answered from another's effect, by their key.
        #expect(!storm.fails || key != nil, "seed \(seed)")
        effects.insert(reply)
        if let key { repliesByKey[key, default: []].insert(reply) }
      } else {
        #expect(storm.fails && results.code(index) == .failedPrecondition, "seed \(seed)")
      }
    }
    #expect(repliesByKey.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
    let journal = try store.read { (snapshot) throws(StoreError) in
      try snapshot.journal(after: 0, limit: 10_000)
    }
    #expect(Set(journal.map { [UInt8](String($0.objectID).utf8) }) == effects, "seed \(seed)")
    #expect(journal.map(\.sequence) == Array(1...Int64(effects.count)), "seed \(seed)")
    #expect(store.statistics.committedCommands == UInt64(effects.count), "seed \(seed)")
  }
}

/// Makes a riser, and in one case of four fails after that; one key serves several commands.
private struct Storm: Command {
  let fails: Bool
  let options: CommandOptions

  init(seed: UInt64, index: Int) {
    let mixed = (seed ^ UInt64(index)) &* 0x9E37_79B9_7F4A_7C15
    fails = mixed >> 60 < 4
    var key = [UInt8](repeating: 0, count: 16)
    key[0] = UInt8(truncatingIfNeeded: index % 200)
    options = .of(1, key: index % 3 == 0 ? nil : key)
  }

  func apply(in transaction: borrowing Transaction) throws(StoreError) -> Int64 {
    let made = try CreateEquipment(.riser()).apply(in: transaction)
    if fails { throw StoreError(.failedPrecondition, "it is so") }
    return made.id
  }
}
