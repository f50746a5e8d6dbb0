/// What Admin shows of the process that serves; the program states it.
package struct ServerProcessView: Sendable {
  /// The memory and the processor time of the process at one time.
  package struct Use: Sendable {
    package var residentBytes: Int64 = 0
    package var cpuNanoseconds: Int64 = 0

    package init(residentBytes: Int64 = 0, cpuNanoseconds: Int64 = 0) {
      self.residentBytes = residentBytes
      self.cpuNanoseconds = cpuNanoseconds
    }
  }

  /// The name and the version of the program.
  package var software = ""
  /// The time when it started, in milliseconds since 1970-01-01 UTC.
  package var startedAtMilliseconds: Int64 = 0
  /// Reads what the process uses now; from any thread.
  package var use: @Sendable () -> Use = { Use() }

  package init() {}
}
