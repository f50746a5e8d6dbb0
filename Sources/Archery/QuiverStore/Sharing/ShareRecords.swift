/// What a user lets another principal read, until a day: a grant with scopes of parts.
package struct ShareRecord: Sendable, Equatable {
  package let id: Int64
  /// Whose data it is.
  package let owner: Int64
  package let ownerName: String
  /// Who may read it.
  package let reader: Int64
  package let readerName: String
  /// The parts that may be read, and nothing else.
  package internal(set) var parts: ActingScopes
  /// The last day, in the owner's time zone, and the instant at which that day is over.
  package internal(set) var untilDay: Int32
  package internal(set) var endsAtMilliseconds: Int64
  package let createdAtMilliseconds: Int64
  /// When the reader read last, about (``TouchShare``); 0: never.
  package let lastReadAtMilliseconds: Int64
}

/// An invitation to read what a user shares, which nobody has accepted yet.
package struct ShareInviteRecord: Sendable, Equatable {
  package let id: Int64
  package let owner: Int64
  package let parts: ActingScopes
  /// Until when may be read what the invitation gives.
  package let untilDay: Int32
  package let endsAtMilliseconds: Int64
  package let createdAtMilliseconds: Int64
  /// When the code ends.
  package let expiresAtMilliseconds: Int64
}

/// A new invitation with its code, which is shown once.
package struct CodedShareInvite: Sendable, Equatable {
  package let record: ShareInviteRecord
  /// 16 characters of Crockford's base32, without hyphens.
  package let code: String
}

/// Which parts are shared, and until when.
package struct ShareTerms: Sendable, Equatable {
  package let parts: ActingScopes
  /// The last day in the owner's time zone, and the instant at which it is over.
  package let untilDay: Int32
  package let endsAtMilliseconds: Int64

  /// Throws `invalidArgument` without a part: nothing is shared that was not named.
  package init(
    parts: ActingScopes, untilDay: Int32, endsAtMilliseconds: Int64
  ) throws(StoreError) {
    guard !parts.isEmpty, parts.isSubset(of: .parts) else {
      throw .invalid("parts", "must name at least one part")
    }
    self.parts = parts
    self.untilDay = untilDay
    self.endsAtMilliseconds = endsAtMilliseconds
  }

  /// Throws `invalidArgument` for a day that is over, or too far ahead.
  func check(nowMilliseconds: Int64) throws(StoreError) {
    guard endsAtMilliseconds > nowMilliseconds else {
      throw .invalid("until_day", "must be today or later")
    }
    let last = nowMilliseconds + (StoreLimits.shareDays + 1) * 86_400_000
    guard endsAtMilliseconds <= last else {
      throw .invalid("until_day", "must be at most \(StoreLimits.shareDays) days ahead")
    }
  }
}

/// Whose shares are listed.
package enum ShareSide: Int64, Sendable {
  case both = 0
  /// What the principal shares.
  case given = 1
  /// What others share with it.
  case received = 2
}

extension ActingScopes {
  /// Reading of single parts, which users give to others; grants of services have none of them.
  package static let equipmentPart = ActingScopes(rawValue: 32)
  package static let roundsPart = ActingScopes(rawValue: 64)
  package static let comparisonPart = ActingScopes(rawValue: 128)
  package static let weightPart = ActingScopes(rawValue: 256)
  package static let strengthPart = ActingScopes(rawValue: 512)
  package static let trainingLogPart = ActingScopes(rawValue: 1_024)

  package static let parts: ActingScopes = [
    .equipmentPart, .roundsPart, .comparisonPart, .weightPart, .strengthPart, .trainingLogPart,
  ]
}
