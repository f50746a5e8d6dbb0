/// The protocols that a server speaks above TLS, by ALPN (RFC 7301), the preferred one first.
package final class ApplicationProtocols: Sendable, Equatable {
  let names: [[UInt8]]
  /// A client that offers none of them is refused, also one that offers nothing at all.
  let isRequired: Bool

  /// - Parameter isRequired: whether a client must offer one of them.
  package init(_ names: [String], isRequired: Bool) {
    self.names = names.map { Array($0.utf8) }
    self.isRequired = isRequired
  }

  /// Quiver's own.
  static let quiver = ApplicationProtocols([TLSLimits.applicationProtocol], isRequired: true)

  package static func == (a: ApplicationProtocols, b: ApplicationProtocols) -> Bool {
    a.names == b.names && a.isRequired == b.isRequired
  }
}
