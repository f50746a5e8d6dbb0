import Glibc

/// How many descriptors the process may have.
package enum OpenFiles {
  /// Raises the limit as far as the system lets it (`setrlimit`); answers what it is then.
  package static func raiseLimit() -> UInt64 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
    let before = limit.rlim_cur
    limit.rlim_cur = limit.rlim_max
    guard setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return UInt64(before)
    }
    return UInt64(limit.rlim_cur)
  }
}
