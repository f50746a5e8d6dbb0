import Dispatch
import QuiverRules
import Synchronization
import TestSupport
import Testing

@testable import QuiverStore

@Suite("Reads directly after an acknowledgement", .timeLimit(.minutes(5)))
struct AcknowledgedReadTests {
  @Test("A command is not acknowledged while the hand-over to readers is delayed")
  func delayed() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let handOver = DelayedHandOver()
    store.writer?.observers.withLock { $0.append(handOver) }
    let (target, results) = (RecordingTarget(expecting: 1), Results())
    store.submit(try CreateEquipment(.riser()), .of(1), target: target) { _ in
      []
    } completion: { result in
      results.set(0, result)
    }
    handOver.begun.wait()
    // Committed, and yet not answered: some reader could still show the state before it.
    #expect(results[0] == nil)
    #expect(target.deliverySizes.isEmpty)
    handOver.opened.signal()
    target.wait()
    #expect(results[0] != nil)
    store.close()
  }

  @Test("Reads of each kind that begin at the acknowledgement see the command")
  func seen() throws {
    let directory = try TemporaryDirectory()
    let store = try directory.open()
    let first = try store.perform(CreateEquipment(.riser()), .of(1))
    // Snapshots of idle readers and the cache hold the state before.
    _ = try store.equipment(.riser, .id(first.id), principal: 1)
    let update = try UpdateEquipment(
      .riser("Win&Win", "ATF"), isArchived: false, of: .id(first.id), revision: first.revision,
      mask: ["brand", "model"])
    let (target, seen) = (RecordingTarget(expecting: 1), Seen())
    store.submit(update, .of(1), target: target) { _ in
      []
    } completion: { _ in
      seen.readAll(of: first.id, in: store)
    }
    target.wait()
    let wanted = EquipmentContent.riser("Win&Win", "ATF")
    #expect(seen.contents.count == 3)
    #expect(seen.contents.allSatisfy { $0 == wanted })
    store.close()
  }
}

/// Blocks the publication of a commit to readers until it is released.
private struct DelayedHandOver: CommitObserver {
  let begun = DispatchSemaphore(value: 0)
  let opened = DispatchSemaphore(value: 0)

  func didCommit(_ effects: CommitEffects) {
    begun.signal()
    opened.wait()
  }
}

/// What reads showed within a completion.
private final class Seen: Sendable {
  private let stored = Mutex<[EquipmentContent]>([])

  var contents: [EquipmentContent] { stored.withLock { $0 } }

  /// Reads the item by a snapshot, from memory, and on a thread for reads.
  func readAll(of id: Int64, in store: Store) {
    read { () throws(StoreError) in
      try store.read { (snapshot) throws(StoreError) in
        try snapshot.equipment(.riser, .id(id), principal: 1)
      }
    }
    read { () throws(StoreError) in try store.equipment(.riser, .id(id), principal: 1) }
    let ended = DispatchSemaphore(value: 0)
    let refusal = store.reads.submit(of: .principal(1), CommandCancellation()) { _ in
      self.read { () throws(StoreError) in
        try store.read { (snapshot) throws(StoreError) in
          try snapshot.equipment(.riser, .id(id), principal: 1)
        }
      }
      ended.signal()
    }
    if refusal == nil { ended.wait() }
  }

  private func read(_ body: () throws(StoreError) -> EquipmentRecord) {
    guard let content = try? body().content else { return }
    stored.withLock { $0.append(content) }
  }
}
