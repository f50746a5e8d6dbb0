import QuiverPlatform

/// The descriptors that sockets leave to the rest of the process.
///
/// The process needs them: libdispatch opens files under /proc each second that its threads are
/// busy, and ends the process where it gets no descriptor for that; SQLite opens files for a new
/// reader or a backup. So no connection takes the last ones.
enum SpareDescriptors {
  /// How many are left free, at most; where the process may have few, a quarter of those.
  static let count: UInt64 = 64

  /// Whether so many are in use that the new `descriptor` should be closed again.
  ///
  /// The kernel assigns the lowest free number, so that all below it are in use.
  static func include(_ descriptor: Int32) -> Bool {
    let limit = Platform.descriptorLimit
    return UInt64(clamping: descriptor) >= limit - min(count, limit / 4)
  }
}
