import Glibc

/// The descriptor limit of the process.
enum OpenFiles {
  /// Raises the limit as far as allowed (`setrlimit`): each connection needs a descriptor.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
