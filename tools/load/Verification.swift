import QuiverAPI
import QuiverClient
import QuiverRPC
import QuiverWire
import Synchronization

/// Writes with a number each, and reads them back: what was acknowledged must be there, once.
final class Verification: Sendable {
  private let client: QuiverClient
  private let runName: String
  private let book = Mutex(Book())

  private struct Book {
    var next = 0
    var acknowledged: [Int: Write] = [:]
    var unclear: Set<Int> = []
  }

  private struct Write {
    let id: Int64
    let sent: UInt64
    let answered: UInt64
  }

  /// What was found.
  struct Finding: Sendable {
    var acknowledged = 0
    var unclear = 0
    var lost: [Int] = []
    var doubled: [Int] = []
    var reordered: [Int] = []

    var isClean: Bool { lost.isEmpty && doubled.isEmpty && reordered.isEmpty }

    var text: String {
      var text =
        "verified   \(acknowledged) acknowledged writes, \(unclear) of unclear outcome:"
        + " \(lost.count) lost, \(doubled.count) doubled, \(reordered.count) reordered"
      for (name, numbers) in [("lost", lost), ("doubled", doubled), ("reordered", reordered)]
      where !numbers.isEmpty {
        let shown = numbers.prefix(10).map(String.init).joined(separator: ", ")
        text += "\n           \(name): \(shown)\(numbers.count > 10 ? " …" : "")"
      }
      return text
    }
  }

  init(_ client: QuiverClient, runName: String) {
    self.client = client
    self.runName = runName
  }

  /// Sends the next write and answers how it ended.
  func write() async -> (sent: UInt64, code: StatusCode?) {
    let number = book.withLock { book in
      defer { book.next += 1 }
      return book.next
    }
    var request = CreateAccessoryRequest()
    var piece = Accessory()
    piece.name = "\(runName) \(number)"
    piece.type = .other
    request.piece = piece
    let sent = Clock.nanoseconds()
    do throws(RPCError) {
      let made = try await client.call(Equipment.createAccessory, request)
      let write = Write(id: made.id, sent: sent, answered: Clock.nanoseconds())
      book.withLock { $0.acknowledged[number] = write }
      return (sent, nil)
    } catch {
      if !error.isNotProcessed { book.withLock { _ = $0.unclear.insert(number) } }
      return (sent, error.code)
    }
  }

  /// Reads all of the run's pieces back.
  func check() async throws(RPCError) -> Finding {
    var found: [Int: [Int64]] = [:]
    var request = ListItemsRequest()
    request.type = .accessory
    request.pageSize = 500
    repeat {
      let page = try await client.call(Equipment.listItems, request)
      for item in page.items where item.displayBrand.hasPrefix(runName + " ") {
        guard let number = Int(item.displayBrand.dropFirst(runName.count + 1)) else { continue }
        found[number, default: []].append(item.id)
      }
      request.pageToken = page.nextPageToken
    } while !request.pageToken.isEmpty
    let book = book.withLock { $0 }
    var finding = Finding()
    finding.acknowledged = book.acknowledged.count
    finding.unclear = book.unclear.count
    finding.doubled = found.filter { $0.value.count > 1 }.keys.sorted()
    finding.lost = book.acknowledged.filter { found[$0.key] != [$0.value.id] }
      .keys.filter { found[$0]?.count ?? 0 <= 1 }.sorted()
    finding.reordered = Self.reordered(book.acknowledged)
    return finding
  }

  /// Writes that were sent after another one had been answered, and yet have a lower id.
  private static func reordered(_ writes: [Int: Write]) -> [Int] {
    let bySent = writes.sorted { $0.value.sent < $1.value.sent }
    let byAnswered = writes.values.sorted { $0.answered < $1.answered }
    var highest: Int64 = 0
    var next = 0
    var result: [Int] = []
    for (number, write) in bySent {
      while next < byAnswered.count, byAnswered[next].answered < write.sent {
        highest = max(highest, byAnswered[next].id)
        next += 1
      }
      if write.id < highest { result.append(number) }
    }
    return result.sorted()
  }
}
