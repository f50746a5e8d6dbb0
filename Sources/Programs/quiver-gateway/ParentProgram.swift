import Dispatch
import Glibc
import QuiverDispatch

/// The program that has started this one and stays: it gives the gateway its token over a socket,
/// and the gateway ends when that socket does, however the program ended.
final class ParentProgram: Sendable {
  let token: String
  private let descriptor: Int32

  private static let mostTokenBytes = 1_024

  /// Nil: there is none. Throws where the socket has no token.
  init?(_ options: GatewayOptions) throws(GatewayProgram.Failure) {
    guard let descriptor = options.parentDescriptor else { return nil }
    self.descriptor = descriptor
    var line: [UInt8] = []
    var byte: UInt8 = 0
    while line.count <= Self.mostTokenBytes, read(descriptor, &byte, 1) == 1,
      byte != UInt8(ascii: "\n")
    {
      line.append(byte)
    }
    guard byte == UInt8(ascii: "\n"), !line.isEmpty else {
      throw .init(.usage, "--parent \(descriptor): the socket has no line with a token")
    }
    token = String(decoding: line, as: UTF8.self)
  }

  /// Tells the program that callers are accepted, and calls `ended` when it has ended.
  func serves(_ ended: @escaping @Sendable () -> Void) {
    let descriptor = descriptor
    _ = write(descriptor, "serving\n", 8)
    DispatchQueue(label: "quiver-gateway.parent").async {
      var byte: UInt8 = 0
      while true {
        let count = read(descriptor, &byte, 1)
        if count == 0 || count < 0 && errno != EINTR { return ended() }
      }
    }
  }
}
