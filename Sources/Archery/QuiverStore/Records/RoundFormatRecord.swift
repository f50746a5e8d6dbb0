package import QuiverRules

/// A format as it is kept; it never changes.
package struct RoundFormatRecord: Sendable, Equatable {
  /// 0: of the library, and not kept yet.
  package let id: Int64

  /// Empty where its maker gave none.
  package let clientID: [UInt8]
  package let format: RoundFormat
  package let createdAtMilliseconds: Int64

  package init(
    id: Int64, clientID: [UInt8], format: RoundFormat, createdAtMilliseconds: Int64
  ) {
    self.id = id
    self.clientID = clientID
    self.format = format
    self.createdAtMilliseconds = createdAtMilliseconds
  }
}

/// What a request names a format by.
package enum FormatChoice: Sendable, Equatable {
  /// One of the library.
  case codename(String)
  /// One that is kept.
  case own(ObjectReference)
}
