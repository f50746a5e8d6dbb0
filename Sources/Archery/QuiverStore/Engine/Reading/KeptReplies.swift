import Synchronization

/// Encoded replies to reads, until an object of their principal changes.
///
/// Only for methods whose reply depends on the request and on objects of the caller whose changes
/// the journal records, and on nothing else: not on the time, nor on what others own. A commit
/// removes the replies of the principals that it changed, before its commands are acknowledged.
/// A reader cannot keep a reply from an older snapshot, because the version that `find` returned to
/// it has changed.
///
/// Any thread may use it. It has at most `StoreLimits.keptReplyBytes` bytes of requests, replies
/// and the tables that contain them.
package final class KeptReplies: CommitObserver {
  /// A reply, or the version to pass to ``keep(_:to:method:principal:version:)``.
  package enum Lookup {
    case found([UInt8])
    case missing(version: UInt64)
  }

  private static let shardCount = 64

  private let shards = (0..<shardCount).map { _ in Shard() }

  private final class Shard: Sendable {
    let state = Mutex(State())
  }

  private struct State: Sendable {
    var version: UInt64 = 0
    var principals: [Int64: Replies] = [:]
    var byteCount = 0

    mutating func remove(_ principal: Int64) {
      guard let removed = principals.removeValue(forKey: principal) else { return }
      byteCount -= removed.byteCount
    }
  }

  /// The replies of one principal by the hash of their requests.
  private struct Replies: Sendable {
    var byHash: [Int: Reply] = [:]
    var byteCount = 0
  }

  private struct Reply: Sendable {
    let method: UInt32
    let request: [UInt8]
    let bytes: [UInt8]

    var byteCount: Int {
      request.count + bytes.count + StoreLimits.keptReplyOverheadBytes
    }

    func answers(_ method: UInt32, _ request: UnsafeRawBufferPointer) -> Bool {
      method == self.method && self.request.elementsEqual(request)
    }
  }

  init() {}

  /// The kept reply to this request, byte for byte; nil for a request so long that its reply is
  /// not kept.
  package func find(
    _ request: UnsafeRawBufferPointer, method: UInt32, principal: Int64
  ) -> Lookup? {
    guard request.count <= StoreLimits.keptRequestBytes else { return nil }
    let hash = Self.hash(request, method)
    return shard(principal).state.withLock { state in
      if let reply = state.principals[principal]?.byHash[hash], reply.answers(method, request) {
        return .found(reply.bytes)
      }
      return .missing(version: state.version)
    }
  }

  /// Keeps a reply that was read after `find` returned `version`, unless objects have changed since
  /// or the two are too long.
  package func keep(
    _ bytes: [UInt8], to request: [UInt8], method: UInt32, principal: Int64, version: UInt64
  ) {
    let reply = Reply(method: method, request: request, bytes: bytes)
    guard request.count <= StoreLimits.keptRequestBytes else { return }
    guard reply.byteCount <= StoreLimits.keptReplyBytesPerPrincipal else { return }
    let hash = request.withUnsafeBytes { Self.hash($0, method) }
    shard(principal).state.withLock { state in
      guard state.version == version else { return }
      let room = StoreLimits.keptReplyBytesPerPrincipal - reply.byteCount
      if state.principals[principal].map({ $0.byteCount > room }) == true {
        state.remove(principal)
      }
      // A full shard is emptied: simpler than an order of use, and as good for few replies.
      if state.byteCount + reply.byteCount > StoreLimits.keptReplyBytes / Self.shardCount {
        state.principals.removeAll()
        state.byteCount = 0
      }
      var replies = state.principals.removeValue(forKey: principal) ?? Replies()
      let added = reply.byteCount - (replies.byHash[hash]?.byteCount ?? 0)
      replies.byHash[hash] = reply
      replies.byteCount += added
      state.byteCount += added
      state.principals[principal] = replies
    }
  }

  func didCommit(_ effects: CommitEffects) {
    for case .principal(let principal) in effects.changedKeys { removeAll(of: principal) }
    for change in effects.changes where change.kind == .principal { removeAll(of: change.id) }
  }

  private func removeAll(of principal: Int64) {
    shard(principal).state.withLock { state in
      state.version &+= 1
      state.remove(principal)
    }
  }

  /// How many bytes of requests, replies and tables there are.
  var byteCount: Int {
    shards.reduce(0) { sum, shard in sum + shard.state.withLock { $0.byteCount } }
  }

  private func shard(_ principal: Int64) -> Shard {
    shards[Int(UInt64(bitPattern: principal) % UInt64(Self.shardCount))]
  }

  private static func hash(_ request: UnsafeRawBufferPointer, _ method: UInt32) -> Int {
    var hasher = Hasher()
    hasher.combine(method)
    hasher.combine(bytes: request)
    return hasher.finalize()
  }
}

extension Store {
  /// Replies of reads, kept until an object of their principal changes.
  package var keptReplies: KeptReplies { features.keptReplies }
}
