import QuiverPlatform

/// The file of a Unix socket, with its number, so that no other file is removed in its place.
struct UnixSocketFile: Equatable, Sendable {
  private let path: String
  private let device: UInt64
  private let number: UInt64

  /// The file at `path`; nil if there is none, or one that is no socket. Links are not followed.
  init?(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
    self.path = path
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// Removes the file, unless another one has its path now.
  func remove() {
    if Self(path) == self { unlink(path) }
  }

  /// Removes a socket on which no process listens, so that its path can be bound again.
  ///
  /// Throws where another kind of file has the path. A socket on which a process listens is kept.
  static func removeStale(_ path: String, _ address: SocketAddress) throws(EndpointError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard let file = Self(path) else {
      throw EndpointError(
        "cannot listen on unix:\(path): the file there is not a socket; move it away, or name"
          + " another path")
    }
    let probe = socket(AF_UNIX, Platform.streamType, 0)
    guard probe >= 0 else { return }
    defer { close(probe) }
    if address.withPointer({ connect(probe, $0, $1) }) != 0, errno == ECONNREFUSED {
      file.remove()
    }
  }
}
