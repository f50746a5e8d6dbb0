import Synchronization

/// The addresses of one service, each of which comes first in turn. Any thread may use it.
final class Rotation<Address: Sendable>: Sendable {
  let addresses: [Address]
  private let count = Atomic(0)

  /// Creates a rotation of at least one address.
  init(_ addresses: [Address]) {
    precondition(!addresses.isEmpty, "A service has at least one address.")
    self.addresses = addresses
  }

  /// The address whose turn it is.
  func next() -> Address { addresses[nextIndex()] }

  /// All addresses, from the one whose turn it is.
  func all() -> [Address] {
    let first = nextIndex()
    return Array(addresses[first...] + addresses[..<first])
  }

  private func nextIndex() -> Int {
    count.wrappingAdd(1, ordering: .relaxed).oldValue % addresses.count
  }
}
