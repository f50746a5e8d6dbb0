import QuiverStore
import Synchronization

/// The order in which commands were applied.
final class Order: Sendable {
  private let entries = Mutex<[(principal: Int64, number: Int)]>([])

  var list: [(principal: Int64, number: Int)] { entries.withLock { $0 } }

  func append(_ principal: Int64, _ number: Int) {
    entries.withLock { $0.append((principal, number)) }
  }
}

/// A command that notes when it is applied and changes nothing.
struct Noted: Command {
  let order: Order
  let principal: Int64
  let number: Int

  func apply(in transaction: borrowing Transaction) throws(StoreError) {
    order.append(principal, number)
  }
}
