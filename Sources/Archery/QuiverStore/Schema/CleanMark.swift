import Glibc

/// The mark of a clean close: a file that is there only while no store is open.
///
/// Where it is missing, the last store was left without closing, and the next checks everything.
extension DataDirectory {
  private var cleanMarkPath: String { path + "/quiver.clean" }

  /// Whether the last store here was closed.
  var hasCleanMark: Bool { access(cleanMarkPath, F_OK) == 0 }

  /// Takes the mark away and sees that on the disk.
  func removeCleanMark() throws(StoreError) {
    guard unlink(cleanMarkPath) == 0 || errno == ENOENT else {
      throw StoreError(
        .failedPrecondition,
        "cannot remove the file \(cleanMarkPath): \(String(cString: strerror(errno)))")
    }
    try synchronize()
  }

  /// Leaves the mark, once everything is in the database and on the disk.
  func makeCleanMark() throws(StoreError) {
    try write("closed\n", to: cleanMarkPath)
  }
}
