import QuiverDispatch
import Synchronization

/// The source from which a client reads its token repeatedly, so that a token can be replaced while
/// the client runs.
///
/// The client reads it before each connection, when the server has rejected a connection's token,
/// and every ``ChannelLimits/tokenCheckInterval`` while it has connections. When the token has
/// changed, new calls use new connections, and the old connections close when their calls have
/// ended. A call or a watch whose connection ends because its token has expired continues with the
/// new token where a second execution has no second effect.
public struct TokenSource: Sendable {
  let read: @Sendable () -> String?

  /// Creates a source.
  ///
  /// - Parameter read: returns the token, `qv_…`; nil if it cannot be read now, and then the client
  ///   keeps the token that it has. It is called on threads of the client and must not block.
  public init(_ read: @escaping @Sendable () -> String?) { self.read = read }

  /// The token as it is now; nil if it cannot be read.
  package func token() -> String? { read() }

  /// The token in a file, which contains one word of at most 1,024 bytes.
  ///
  /// Replace the file by renaming another one to it, so that no reader sees half of a token.
  public static func file(_ path: String) -> TokenSource {
    TokenSource {
      guard let bytes = SmallFile.bytes(path, limit: 1_024) else { return nil }
      let words = bytes.split { $0 <= UInt8(ascii: " ") }
      return words.count == 1 ? String(validating: words[0], as: UTF8.self) : nil
    }
  }
}

/// The token with which connections are made.
final class CurrentToken: Sendable {
  private let source: TokenSource?
  private let bytes: Mutex<[UInt8]>

  init(_ source: TokenSource?, otherwise token: String) {
    self.source = source
    bytes = Mutex(Array((source?.read() ?? token).utf8))
  }

  /// Whether the token can change.
  var canChange: Bool { source != nil }

  /// The token as it was read last; empty: none.
  var value: [UInt8] { bytes.withLock { $0 } }

  /// Reads the token again and returns it.
  @discardableResult
  func refresh() -> [UInt8] {
    guard let text = source?.read() else { return value }
    return bytes.withLock { bytes in
      bytes = Array(text.utf8)
      return bytes
    }
  }
}
