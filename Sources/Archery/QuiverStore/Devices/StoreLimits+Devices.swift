/// Limits of scoring devices and of calls from the line.
extension StoreLimits {
  /// Devices with secrets of their own of one event; how long one that does not call may score, how
  /// long it may deliver what it recorded before its end, how often its calls are stored, and after
  /// which silence another one may take its cards over.
  package static let devicesPerEvent: Int64 = 2_000
  package static let deviceLifeMilliseconds: Int64 = 36 * 3_600_000
  package static let lateDeliveryMilliseconds: Int64 = 7 * 24 * 3_600_000
  package static let deviceTouchMilliseconds: Int64 = 3_600_000
  /// How long the code of an official works, and an official that does not call stays signed in.
  package static let officialCodeMilliseconds: Int64 = 7 * 24 * 3_600_000
  package static let officialLifeMilliseconds: Int64 = 30 * 24 * 3_600_000
  package static let takeoverSilenceMilliseconds: Int64 = 3 * 60_000
  /// Characters of the version of a page that a device reports.
  package static let pageVersionLength = 50
  /// Characters of operations that a device has signed and another one delivers.
  package static let rescuedTextLength = 32_768
  /// Devices whose last calls are remembered, and how long before its start a session is open at
  /// its plates.
  package static let rememberedDevices = 16_384
  package static let plateLeadMilliseconds: Int64 = 2 * 3_600_000

  /// Calls from the targets of one event, open ones from one target, characters of their texts, and
  /// arrows that an archer may owe.
  package static let callsPerEvent: Int64 = 5_000
  package static let openCallsPerTarget: Int64 = 10
  package static let callLength = 300
  package static let owedArrows: UInt32 = 36
}
