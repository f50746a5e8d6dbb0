import CTLS
import QuiverPlatform
import Synchronization

/// The keys of a server's session tickets: made at random, changed every
/// ``TLSLimits/ticketKeySeconds``, and never written down.
///
/// Old keys read tickets for as long as those are good. A server that restarts cannot read the
/// tickets of before, and its clients pay a full handshake. May be used from any thread.
final class TicketKeys: Sendable {
  private struct Key: Sendable {
    var name: [UInt8]
    var cipher: [UInt8]
    var mac: [UInt8]
    var madeAtSeconds: Int
  }

  private let keys = Mutex<[Key]>([])
  private let now: @Sendable () -> Int

  private static let nameBytes = 16
  private static let keyBytes = 32
  private static let ivBytes: Int32 = 16

  /// - Parameter now: monotonic seconds.
  init(now: @escaping @Sendable () -> Int = TicketKeys.monotonicSeconds) { self.now = now }

  /// How many keys there are.
  var count: Int { keys.withLock { $0.count } }

  /// Keys the cipher and the MAC of a ticket: 1 for a new one, 2 for one that is read and to be
  /// replaced, since a client uses each but once, 0 for a ticket of no key here, -1 where libcrypto
  /// fails.
  func apply(
    name: UnsafeMutablePointer<UInt8>, iv: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer,
    mac: OpaquePointer, isNew: Bool
  ) -> Int32 {
    let key: Key
    if isNew {
      guard let newest = newestKey(), RAND_bytes(iv, Self.ivBytes) == 1 else { return -1 }
      key = newest
      name.update(from: key.name, count: Self.nameBytes)
    } else {
      let wanted = Array(UnsafeBufferPointer(start: name, count: Self.nameBytes))
      guard let found = self.key(named: wanted) else { return 0 }
      key = found
    }
    guard
      quiver_tls_key_ticket(cipher, mac, key.cipher, key.mac, iv, isNew ? 1 : 0) == 1
    else { return -1 }
    return isNew ? 1 : 2
  }

  /// The key that new tickets are made with; nil where no random bytes can be had.
  private func newestKey() -> Key? {
    let now = now()
    return keys.withLock { keys in
      Self.dropOld(&keys, now)
      if let newest = keys.last, now - newest.madeAtSeconds < TLSLimits.ticketKeySeconds {
        return newest
      }
      var bytes = [UInt8](repeating: 0, count: Self.nameBytes + 2 * Self.keyBytes)
      guard RAND_bytes(&bytes, Int32(bytes.count)) == 1 else { return nil }
      let key = Key(
        name: Array(bytes[..<Self.nameBytes]),
        cipher: Array(bytes[Self.nameBytes..<Self.nameBytes + Self.keyBytes]),
        mac: Array(bytes[(Self.nameBytes + Self.keyBytes)...]), madeAtSeconds: now)
      keys.append(key)
      return key
    }
  }

  /// A key that has made tickets which may still be good.
  private func key(named name: [UInt8]) -> Key? {
    let now = now()
    return keys.withLock { keys in
      Self.dropOld(&keys, now)
      return keys.first { $0.name == name }
    }
  }

  private static func dropOld(_ keys: inout [Key], _ now: Int) {
    let longest = TLSLimits.ticketKeySeconds + TLSLimits.ticketSeconds
    keys.removeAll { now - $0.madeAtSeconds >= longest }
  }

  static func monotonicSeconds() -> Int {
    Int(Platform.bootNanoseconds() / 1_000_000_000)
  }
}
