/// What the bench runs in its own process: pinned and timed, or counted, by another copy of it.
enum Workloads {
  /// Decodes and encodes a message so many times; prints nanoseconds of processor time for each.
  static func codec(_ message: String, iterations: Int) throws {
    throw Unmeasured("QuiverAPI has no messages yet")
  }

  /// Feeds the server's state machine requests and takes its reply bytes.
  static func inMemory(calls: Int) throws {
    throw Unmeasured("QuiverRPC has no server connection yet")
  }
}
