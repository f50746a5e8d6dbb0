import TestSupport
import Testing

@testable import QuiverStore

@Suite("Kept replies of reads", .timeLimit(.minutes(1)))
struct KeptRepliesTests {
  private static func find(
    _ kept: KeptReplies, _ request: [UInt8], method: UInt32 = 1, principal: Int64 = 1
  ) -> [UInt8]? {
    let lookup = request.withUnsafeBytes { kept.find($0, method: method, principal: principal) }
    guard case .found(let bytes) = lookup else { return nil }
    return bytes
  }

  private static func version(_ kept: KeptReplies, principal: Int64 = 1) -> UInt64 {
    let lookup = [UInt8]([255]).withUnsafeBytes { kept.find($0, method: 0, principal: principal) }
    guard case .missing(let version) = lookup else { return .max }
    return version
  }

  private static func commit(_ kept: KeptReplies, principal: Int64) {
    let effects = CommitEffects()
    effects.record(
      ObjectChange(kind: .equipment, id: 9, owner: principal, change: .updated), sequence: 1)
    kept.didCommit(effects)
  }

  @Test("A reply is found by its principal, method and request, and by nothing else")
  func keys() {
    let kept = KeptReplies()
    kept.keep([7], to: [1, 2], method: 1, principal: 1, version: Self.version(kept))
    #expect(Self.find(kept, [1, 2]) == [7])
    #expect(Self.find(kept, [1]) == nil && Self.find(kept, [1, 2, 3]) == nil)
    #expect(Self.find(kept, [1, 2], method: 2) == nil)
    #expect(Self.find(kept, [1, 2], principal: 2) == nil)
    // Of the same shard.
    #expect(Self.find(kept, [1, 2], principal: 65) == nil)
  }

  @Test("A commit removes the replies of the principals that it changed, and no others")
  func commits() {
    let kept = KeptReplies()
    for principal in [Int64(1), 2, 65] {
      let version = Self.version(kept, principal: principal)
      kept.keep([7], to: [1], method: 1, principal: principal, version: version)
    }
    Self.commit(kept, principal: 1)
    #expect(Self.find(kept, [1]) == nil)
    #expect(Self.find(kept, [1], principal: 2) == [7])
    #expect(Self.find(kept, [1], principal: 65) == [7])
  }

  @Test("A reply that was read before a commit of its principal is not kept")
  func oldReplies() {
    let kept = KeptReplies()
    let version = Self.version(kept)
    Self.commit(kept, principal: 1)
    kept.keep([7], to: [1], method: 1, principal: 1, version: version)
    #expect(Self.find(kept, [1]) == nil)
  }

  @Test("Replies never take more than the limits of a principal and of the process")
  func limits() {
    let kept = KeptReplies()
    let size = StoreLimits.keptReplyBytesPerPrincipal / 4 - StoreLimits.keptReplyOverheadBytes
    for principal in Int64(1)...400 {
      for request in UInt8(0)..<9 {
        let version = Self.version(kept, principal: principal)
        kept.keep(
          [UInt8](repeating: 0, count: size - 1), to: [request], method: 1, principal: principal,
          version: version)
        #expect(Self.find(kept, [request], principal: principal) != nil)
      }
      let found = (UInt8(0)..<9).filter { Self.find(kept, [$0], principal: principal) != nil }
      #expect(found.count <= 4)
      #expect(kept.byteCount <= StoreLimits.keptReplyBytes)
    }
    let long = [UInt8](repeating: 0, count: StoreLimits.keptReplyBytesPerPrincipal)
    kept.keep(long, to: [0], method: 2, principal: 1, version: Self.version(kept))
    #expect(Self.find(kept, [0], method: 2) == nil)
  }

  @Test("Tiny replies to many different requests count with their tables")
  func tinyReplies() {
    let kept = KeptReplies()
    let count = StoreLimits.keptReplyBytesPerPrincipal / StoreLimits.keptReplyOverheadBytes
    for number in 0..<4 * count {
      let request = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      kept.keep([], to: request, method: 1, principal: 1, version: Self.version(kept))
    }
    let found = (0..<4 * count).filter { number in
      let request = [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      return Self.find(kept, request) != nil
    }
    #expect(!found.isEmpty && found.count <= count)
  }

  @Test("A long request is neither searched for nor kept")
  func longRequests() {
    let kept = KeptReplies()
    for length in [StoreLimits.keptRequestBytes, StoreLimits.keptRequestBytes + 1] {
      let request = [UInt8](repeating: 1, count: length)
      kept.keep([7], to: request, method: 1, principal: 1, version: Self.version(kept))
      let isKept = length == StoreLimits.keptRequestBytes
      #expect(Self.find(kept, request) == (isKept ? [7] : nil))
      let lookup = request.withUnsafeBytes { kept.find($0, method: 1, principal: 1) }
      #expect((lookup != nil) == isKept)
    }
  }

  @Test("Random commits and replies leave exactly what a plain table has")
  func model() {
    let seed = TestSeed.value
    var generator = SeededGenerator(seed: seed)
    let kept = KeptReplies()
    var table: [Int64: [[UInt8]: [UInt8]]] = [:]
    for step in 0..<20_000 {
      let principal = Int64.random(in: 1...130, using: &generator)
      let request = [UInt8.random(in: 0...3, using: &generator)]
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        Self.commit(kept, principal: principal)
        table[principal] = nil
      case 1:
        let bytes = [UInt8(truncatingIfNeeded: step), UInt8(truncatingIfNeeded: step >> 8)]
        let version = Self.version(kept, principal: principal)
        kept.keep(bytes, to: request, method: 1, principal: principal, version: version)
        table[principal, default: [:]][request] = bytes
      default:
        let found = Self.find(kept, request, principal: principal)
        #expect(found == table[principal]?[request], "seed \(seed), step \(step)")
      }
    }
  }
}
