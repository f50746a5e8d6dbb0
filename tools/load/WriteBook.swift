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
    var writes: [Int: Write] = [:]
    var unclear: Set<Int> = []
    /// Beyond what is remembered.
    var unseen = 0
  }

  /// One that was acknowledged.
  private struct Write {
    let id: Int64
    let sent: UInt64
    let answered: UInt64
  }

  /// Writes that are remembered at most, about 60 bytes each.
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
    book.withLock { $0.writes[number] = write }
  }

  /// A write has failed: it may be there all the same, unless it was certainly not processed.
  func failed(_ number: Int, _ error: RPCError) {
    guard !error.isNotProcessed, number < Self.maximumCount else { return }
    // A refusal by the server is an answer.
    let isUnclear = [
      StatusCode.unavailable, .deadlineExceeded, .cancelled, .unknown, .internal,
    ].contains(error.code)
    if isUnclear { book.withLock { _ = $0.unclear.insert(number) } }
  }

  /// Reads all of the run's objects back.
  func check(_ client: QuiverClient) async throws(RPCError) -> Finding {
    var found: [Int: [Int64]] = [:]
    try await kind.readBack(client, runName) { number, id in
      if number < Self.maximumCount { found[number, default: []].append(id) }
    }
    let book = book.withLock { $0 }
    var finding = Finding(subject: kind.subject)
    finding.acknowledged = book.writes.count
    finding.unclear = book.unclear.count
    finding.unseen = book.unseen
    for number in found.keys.sorted() where (found[number]?.count ?? 0) > 1 {
      finding.doubled.add("\(number)")
    }
    let numbers = book.writes.keys.sorted()
    for number in numbers {
      let ids = found[number] ?? []
      let isThere = book.writes[number].map { ids.contains($0.id) } ?? true
      if !isThere { finding.lost.add("\(number)") }
    }
    let events = numbers.compactMap { book.writes[$0] }
      .map { (began: $0.sent, ended: $0.answered, number: $0.id) }
    for index in Finding.reordered(events) { finding.reordered.add("\(numbers[index])") }
    return finding
  }
}
