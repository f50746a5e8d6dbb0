/// Limits of what users let others read.
extension StoreLimits {
  /// Principals that may read what one user shares, users that share with one principal, and
  /// invitations of one user that wait.
  package static let sharesPerOwner: Int64 = 200
  package static let sharesPerReader: Int64 = 500
  package static let shareInvitesPerOwner: Int64 = 100

  /// The last day until which something may be shared, in days from today, and how long the code
  /// of an invitation is valid.
  package static let shareDays: Int64 = 731
  package static let shareInviteMilliseconds: Int64 = 7 * 24 * 3_600_000

  /// How often the time is stored at which the reader of a share has read.
  package static let shareTouchMilliseconds: Int64 = 900_000

  /// Archers on one page of a squad, weeks that it shows at most, and of each archer the latest
  /// rounds, best scores and changed setups.
  package static let squadPageSize: UInt32 = 50
  package static let squadWeeks: UInt32 = 26
  package static let squadRounds: Int64 = 3
  package static let squadBests = 5
  package static let squadSetups: Int64 = 5
}
