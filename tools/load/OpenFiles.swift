import Glibc

/// How many descriptors the process may have.
enum OpenFiles {
  /// Raises the limit as far as the system lets it (`setrlimit`): each connection takes one.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
