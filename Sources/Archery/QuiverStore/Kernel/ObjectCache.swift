import Synchronization

/// Objects that were read lately, by id, as they are after the latest acknowledged commit.
///
/// A point read through it costs a tenth of one by SQLite. The writer takes changed objects out
/// after a commit and before it answers; who read one from an older snapshot cannot put it in,
/// since the version that it began at has passed. It is for reads of one object: several objects of
/// one state come from a snapshot.
final class ObjectCache<Value: Sendable>: Sendable {
  /// What a look-up found, or what to show when the object has been read.
  enum Lookup {
    case found(Value)
    case missing(version: UInt64)
  }

  private let shards: [Shard]
  private let capacityPerShard: Int

  private final class Shard: Sendable {
    let state = Mutex(State())
  }

  private struct State: Sendable {
    var version: UInt64 = 0
    var values: [Int64: Value] = [:]
  }

  /// Holds at most about `capacity` objects.
  init(capacity: Int, shardCount: Int = 16) {
    precondition(shardCount > 0 && capacity >= shardCount, "A cache holds an object a shard.")
    shards = (0..<shardCount).map { _ in Shard() }
    capacityPerShard = capacity / shardCount
  }

  /// The object of that id.
  func find(_ id: Int64) -> Lookup {
    shard(id).state.withLock { state in
      state.values[id].map(Lookup.found) ?? .missing(version: state.version)
    }
  }

  /// Keeps an object that was read after `find` had answered with that version, unless objects
  /// have changed since.
  func insert(_ value: Value, id: Int64, version: UInt64) {
    shard(id).state.withLock { state in
      guard state.version == version else { return }
      // A full shard begins anew: simpler than an order of use, and as good where few are hot.
      if state.values.count >= capacityPerShard { state.values.removeAll() }
      state.values[id] = value
    }
  }

  /// Takes changed objects out, and lets nobody put an older form in.
  func remove(_ ids: [Int64]) {
    for id in ids {
      shard(id).state.withLock { state in
        state.version &+= 1
        state.values[id] = nil
      }
    }
  }

  private func shard(_ id: Int64) -> Shard {
    shards[Int(UInt64(bitPattern: id) % UInt64(shards.count))]
  }
}
