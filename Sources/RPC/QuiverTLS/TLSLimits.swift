/// The limits of TLS connections.
package enum TLSLimits {
  /// The plain bytes of one record at most, by the protocol.
  static let recordBytes = 16_384
  /// What a record has beside its plain bytes: header, content type and tag.
  static let recordOverheadBytes = 22
  /// What a peer may send before its handshake is over.
  static let handshakeBytes = 64 * 1024
  /// The certificates of a peer, in bytes.
  static let certificateListBytes = 32 * 1024
  /// Certificates between a peer's and the root that is trusted.
  static let certificateDepth: Int32 = 8
  /// Names that are read from a peer's certificate, and the bytes of each.
  static let certificateNames = 64
  static let certificateNameBytes = 512
  /// Servers of which a client keeps a ticket.
  static let keptTickets = 64
  /// How long a ticket is good.
  static let ticketSeconds = 24 * 60 * 60
  /// How long tickets are made with one key; they are read for as long as they are good.
  static let ticketKeySeconds = 8 * 60 * 60
  /// The bytes of a certificate file or a key file at most.
  package static let fileBytes = 1024 * 1024
  static let applicationProtocol = "quiver/1"

  /// How many bytes `plainByteCount` bytes are at most once they are encrypted at once.
  static func encryptedByteCount(of plainByteCount: Int) -> Int {
    plainByteCount + (plainByteCount / recordBytes + 1) * recordOverheadBytes
  }
}
