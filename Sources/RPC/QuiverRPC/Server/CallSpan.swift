/// The span of a call that is traced. Any thread may use it.
package protocol CallSpan: AnyObject, Sendable {
  /// Records work of the call that has ended, in nanoseconds of CLOCK_MONOTONIC.
  func record(_ name: String, from start: UInt64, until end: UInt64)
}
