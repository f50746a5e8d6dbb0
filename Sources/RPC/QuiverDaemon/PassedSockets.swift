import Glibc
package import QuiverCommandLine

/// Listening sockets that the service manager has opened (`sd_listen_fds(3)`): descriptors from 3
/// on, counted by `LISTEN_FDS` for the process `LISTEN_PID`, with names in `LISTEN_FDNAMES`.
package struct PassedSockets: Equatable, Sendable {
  package struct Socket: Equatable, Sendable {
    package let descriptor: Int32
    /// Connections are encrypted: the socket's name is `tls`.
    package let isSecure: Bool
  }

  package let sockets: [Socket]

  private static let firstDescriptor: Int32 = 3
  private static let maxCount = 64
  private static let secureName = "tls"

  /// - Parameter environment: of the process. Throws where it names more than there can be.
  package init(_ environment: [String: String], processID: Int32 = getpid()) throws(UsageError) {
    guard let text = environment["LISTEN_FDS"], environment["LISTEN_PID"] == "\(processID)" else {
      sockets = []
      return
    }
    guard let count = Int(text), (0...Self.maxCount).contains(count) else {
      throw UsageError("LISTEN_FDS is \(text), which is no number from 0 to \(Self.maxCount)")
    }
    let names = (environment["LISTEN_FDNAMES"] ?? "")
      .split(separator: ":", omittingEmptySubsequences: false)
    sockets = (0..<count).map { index in
      Socket(
        descriptor: Self.firstDescriptor + Int32(index),
        isSecure: index < names.count && names[index] == Self.secureName)
    }
  }
}
