package import QuiverWire

/// Limits that all connections of one server or client refer to: a copy in each would be a fifth of
/// what an idle connection takes.
package final class SharedLimits: Sendable {
  package let value: Limits

  package init(_ value: Limits) { self.value = value }
}
