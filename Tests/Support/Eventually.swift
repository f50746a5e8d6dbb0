/// Whether the condition becomes true within two minutes.
///
/// For what nothing reports: the end of another process, or a time that has passed elsewhere.
package func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
  for _ in 0..<24_000 {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return false
}
