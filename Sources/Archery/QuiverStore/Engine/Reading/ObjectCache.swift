import Synchronization

/// Objects that were read lately, by id, as they are after the latest acknowledged commit.
///
/// A point read from it costs a tenth of one by SQLite. Changed objects are removed after a commit
/// and before its acknowledgement. A reader cannot insert an object from an older snapshot, because
/// the version that `find` returned to it has changed. Use it to read one object; several objects
/// of one state come from a snapshot.
final class ObjectCache<Value: Sendable>: Sendable {
  /// An object, or the version to pass to `insert` when the object has been read.
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

  /// Contains at most about `capacity` objects.
  init(capacity: Int, shardCount: Int = 16) {
    precondition(shardCount > 0 && capacity >= shardCount, "A cache shard needs room.")
    shards = (0..<shardCount).map { _ in Shard() }
    capacityPerShard = capacity / shardCount
  }

  /// The object with that id.
  func find(_ id: Int64) -> Lookup {
    shard(id).state.withLock { state in
      state.values[id].map(Lookup.found) ?? .missing(version: state.version)
    }
  }

  /// Inserts an object that was read after `find` returned `version`, unless objects have changed
  /// since.
  func insert(_ value: Value, id: Int64, version: UInt64) {
    shard(id).state.withLock { state in
      guard state.version == version else { return }
      // A full shard is emptied: simpler than an order of use, and as good for few objects.
      if state.values.count >= capacityPerShard { state.values.removeAll() }
      state.values[id] = value
    }
  }

  /// Removes a changed object, and rejects an older form of it that is inserted later.
  func remove(_ id: Int64) {
    shard(id).state.withLock { state in
      state.version &+= 1
      state.values[id] = nil
    }
  }

  private func shard(_ id: Int64) -> Shard {
    shards[Int(UInt64(bitPattern: id) % UInt64(shards.count))]
  }
}
