import Foundation
import QuiverTLS

/// The options of the command line.
struct Options {
  var server = ""
  /// The command of a client under test; empty if a server is tested.
  var client = ""
  /// The folder of the vectors.
  var vectors = "Protos/vectors"
  /// A folder as tools/dev-certificates makes it; empty: no case runs over TLS.
  var certificates = ""
  /// How many cases for clients run at once, each with a client program of its own.
  var parallel = 4
  /// The seed of the hostile wire.
  var seed: UInt64 = 1
  var token = ""
  var only: [String] = []
  var isQuick = false
  var lists = false
  var wantsHelp = false
  /// The trust and the client certificate for a `tls://` server.
  var tls = TLSConfiguration()

  init(_ words: [String]) throws {
    var rest = words[...]
    var certificate: String?
    var key: String?
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--server": server = try Self.value(word, &rest)
      case "--client": client = try Self.value(word, &rest)
      case "--vectors": vectors = try Self.value(word, &rest)
      case "--certificates": certificates = try Self.value(word, &rest)
      case "--parallel":
        guard let number = Int(try Self.value(word, &rest)), 1...64 ~= number else {
          throw UsageError("--parallel is 1 to 64")
        }
        parallel = number
      case "--seed":
        let text = try Self.value(word, &rest)
        guard let number = UInt64(text), number > 0 else {
          throw UsageError("--seed is a number above 0")
        }
        seed = number
      case "--token": token = try Self.value(word, &rest)
      case "--token-file":
        let file = try Self.value(word, &rest)
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
          throw UsageError("\(file) cannot be read")
        }
        token = text.trimmingCharacters(in: .whitespacesAndNewlines)
      case "--ca": tls.trustedRoots = .file(try Self.value(word, &rest))
      case "--server-name": tls.serverName = try Self.value(word, &rest)
      case "--certificate": certificate = try Self.value(word, &rest)
      case "--key": key = try Self.value(word, &rest)
      case "--only": only.append(try Self.value(word, &rest))
      case "--quick": isQuick = true
      case "--list": lists = true
      default: throw UsageError("there is no \(word); see --help")
      }
    }
    guard wantsHelp || lists || !server.isEmpty || !client.isEmpty else {
      throw UsageError("--server HOST:PORT or --client COMMAND is required; see --help")
    }
    guard server.isEmpty || client.isEmpty else {
      throw UsageError("--server and --client exclude each other")
    }
    guard (certificate == nil) == (key == nil) else {
      throw UsageError("--certificate and --key go together")
    }
    if let certificate, let key {
      tls.clientCertificate = .init(certificateFile: certificate, keyFile: key)
    }
    guard server.isEmpty || server.hasPrefix("tls://") || tls == TLSConfiguration() else {
      throw UsageError("--ca, --server-name, --certificate and --key need a tls:// server")
    }
  }

  private static func value(_ flag: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(flag) requires a value") }
    return value
  }
}

/// Arguments that the program does not accept.
struct UsageError: Error {
  var text: String

  init(_ text: String) { self.text = text }
}
