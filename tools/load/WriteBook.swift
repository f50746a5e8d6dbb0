import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

/// Numbers the writes of a kind, keeps which were acknowledged, and finds them again: each must be
/// there, once. Any thread may use it.
final class WriteBook: Sendable {
  let kind: VerifiedKind
  private let runName: String
  private let book = Mutex(Book())

  private struct Book {
    var next = 0
    /// By number.
    var writes: [Write] = []
    var acknowledgedCount = 0
    var unclear: Set<Int> = []
    /// Beyond what is remembered.
    var unseen = 0
  }

  /// One write; until it is acknowledged, all is 0.
  private struct Write {
    var id: Int64 = 0
    var sent: UInt64 = 0
    var answered: UInt64 = 0

    var isAcknowledged: Bool { answered > 0 }
  }

  /// Writes that are remembered at most, 24 bytes each.
  static let maximumCount = 250_000

  init(_ kind: VerifiedKind, runName: String) {
    self.kind = kind
    self.runName = runName
  }

  /// The number of the next write.
  func next() -> Int {
    book.withLock { book in
      defer { book.next += 1 }
      return book.next
    }
  }

  func stamped(_ request: [UInt8], _ number: Int) -> [UInt8] {
    kind.stamped(request, number, runName)
  }

  func acknowledged(_ number: Int, sent: UInt64, answered: UInt64, reply: [UInt8]) {
    guard number < Self.maximumCount else { return book.withLock { $0.unseen += 1 } }
    let write = Write(id: kind.id(of: reply) ?? 0, sent: sent, answered: answered)
    book.withLock { book in
      while book.writes.count <= number { book.writes.append(Write()) }
      book.writes[number] = write
      book.acknowledgedCount += 1
    }
  }

  /// A write has failed: it may be there all the same, unless it was certainly not processed.
  func failed(_ number: Int, _ error: RPCError) {
    guard !error.isNotProcessed, number < Self.maximumCount else { return }
    // A refusal by the server is an answer.
    let isUnclear =
      !error.code.isKnown
      || [StatusCode.unavailable, .deadlineExceeded, .cancelled, .unknown, .internal].contains(
        error.code)
    if isUnclear { book.withLock { _ = $0.unclear.insert(number) } }
  }

  /// Reads all of the run's objects back.
  func check(_ client: RPCClient) async throws(RPCError) -> Finding {
    var found: [Int: [Int64]] = [:]
    try await kind.readBack(client, runName) { number, id in
      if number < Self.maximumCount { found[number, default: []].append(id) }
    }
    let book = book.withLock { $0 }
    var finding = Finding(subject: kind.subject)
    finding.acknowledged = book.acknowledgedCount
    finding.unclear = book.unclear.count
    finding.unseen = book.unseen
    for number in found.keys.sorted() where (found[number]?.count ?? 0) > 1 {
      finding.doubled.add("\(number)")
    }
    let numbers = book.writes.indices.filter { book.writes[$0].isAcknowledged }
    for number in numbers where !(found[number] ?? []).contains(book.writes[number].id) {
      finding.lost.add("\(number)")
    }
    let events = numbers.map { number in
      let write = book.writes[number]
      return (began: write.sent, ended: write.answered, number: write.id)
    }
    for index in Finding.reordered(events) { finding.reordered.add("\(numbers[index])") }
    return finding
  }
}
