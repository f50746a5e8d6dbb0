import QuiverCrypto

/// A token that only allows watching one public event.
///
/// It is not stored: a MAC with the store's key authenticates the event and the day.
package struct SpectatorToken: Sendable {
  package let text: String
  package let tournament: Int64
  package let name: String
  package let expiresAtMilliseconds: Int64

  private static let prefix = "qs_"
  private static let tagByteCount = 16

  /// The principal id of an event's spectators: negative, since no stored principal is.
  package static func principal(ofTournament id: Int64) -> Int64 { -id }

  /// What a valid token allows.
  package struct Access: Sendable {
    package let tournament: Int64

    /// The end of the second in which the token expires, in milliseconds since 1970-01-01.
    package let endMilliseconds: Int64

    /// Stands for the token where others have the id of a row: negative, the same for all that end
    /// at the same time.
    package var endID: Int64 { -endMilliseconds / 1_000 }

    init(tournament: Int64, expiresAtMilliseconds: Int64) {
      self.tournament = tournament
      endMilliseconds = (expiresAtMilliseconds + 999) / 1_000 * 1_000
    }
  }

  /// The event that a spectator's principal may watch; nil for any other principal.
  package static func tournament(ofPrincipal id: Int64) -> Int64? { id < 0 ? -id : nil }

  /// The token ends in a minute that is that of now a day later, at an instant that stands for the
  /// network of the address: one who asks again within a minute gets the same token.
  fileprivate init(
    _ head: TournamentHead, network: String, nowMilliseconds: Int64, key: [UInt8]
  ) {
    tournament = head.id
    name = head.name
    let digest = HMACSHA256.authenticationCode(for: Array(network.utf8), key: key)
    let period = StoreLimits.spectatorTokenRepeatMilliseconds
    let place = Int64(digest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }) % period
    let minute = nowMilliseconds - nowMilliseconds % period
    expiresAtMilliseconds = min(
      minute + period + StoreLimits.spectatorTokenMilliseconds + place,
      head.visibility.boardsEndMilliseconds)
    let body = Self.bytes(head.id) + Self.bytes(expiresAtMilliseconds)
    text = Self.prefix + Base64URL.encode(body + Self.tag(body, key))
  }

  /// The event and the expiry in a token of this store; nil for any other text.
  fileprivate static func read(
    _ token: [UInt8], key: [UInt8]
  ) -> (tournament: Int64, expiresAtMilliseconds: Int64)? {
    let start = Array(prefix.utf8)
    guard token.starts(with: start),
      let bytes = Base64URL.decode(String(decoding: token.dropFirst(start.count), as: UTF8.self)),
      bytes.count == 16 + tagByteCount
    else { return nil }
    let body = Array(bytes.prefix(16))
    guard ConstantTime.isEqual(tag(body, key), Array(bytes.suffix(tagByteCount))) else {
      return nil
    }
    return (integer(body.prefix(8)), integer(body.suffix(8)))
  }

  private static func tag(_ body: [UInt8], _ key: [UInt8]) -> [UInt8] {
    var encoding = CanonicalBytes()
    encoding.append(.text("spectator"))
    encoding.append(.blob(body))
    let code = HMACSHA256.authenticationCode(for: encoding.bytes, key: key)
    return Array(code.prefix(tagByteCount))
  }

  private static func bytes(_ value: Int64) -> [UInt8] {
    withUnsafeBytes(of: UInt64(bitPattern: value).bigEndian) { Array($0) }
  }

  private static func integer(_ bytes: some Sequence<UInt8>) -> Int64 {
    Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension Store {
  /// A token to watch the public event with this join code, for a caller in this network.
  ///
  /// Throws `notFound` for an unknown code, `failedPrecondition` if the event is not public.
  package func spectatorToken(
    joinCode: String, network: String = ""
  ) throws(StoreError) -> SpectatorToken {
    let now = time.nowMilliseconds
    return try read { (snapshot) throws(StoreError) in
      let head = try snapshot.tournamentHead(joinCode: joinCode)
      guard head.visibility.isWatchable else {
        throw StoreError(
          .failedPrecondition, "the event is private; only participants and officials see it",
          field: "join_code", notProcessed: true)
      }
      guard head.visibility.isWatchable(at: now) else {
        throw StoreError(
          .failedPrecondition, "the boards of this event have ended", field: "join_code",
          notProcessed: true)
      }
      return SpectatorToken(
        head, network: network, nowMilliseconds: now, key: snapshot.pageTokenKey)
    }
  }

  /// What a spectator's token allows; nil if the token is not valid or has expired, or the event is
  /// gone or no longer public.
  package func spectatedTournament(
    _ token: [UInt8]
  ) throws(StoreError) -> SpectatorToken.Access? {
    let now = time.nowMilliseconds
    return try read { (snapshot) throws(StoreError) in
      guard let found = SpectatorToken.read(token, key: snapshot.pageTokenKey),
        found.expiresAtMilliseconds > now,
        let head = try snapshot.tournamentHead(id: found.tournament),
        head.visibility.isWatchable(at: now)
      else { return nil }
      return SpectatorToken.Access(
        tournament: head.id, expiresAtMilliseconds: found.expiresAtMilliseconds)
    }
  }
}
