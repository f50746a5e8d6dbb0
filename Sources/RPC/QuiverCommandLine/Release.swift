/// The release that all programs are part of.
package enum Release {
  package static let version = "0.1.0"
  /// The day of the manual pages.
  package static let date = "2026-11-22"
}
