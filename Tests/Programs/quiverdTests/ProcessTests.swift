import Foundation
import TestSupport
import Testing

@Suite("quiverd as a process", .timeLimit(.minutes(20)))
struct ProcessTests {
  private static let anyPort = "127.0.0.1:0"

  @Test("The first start logs the path of the administrator's token, and no secret")
  func firstStart() throws {
    let directory = try TemporaryDirectory()
    let data = directory.path + "/deep/data"
    let server = try ServerProcess("--data", data, "--listen", Self.anyPort)
    let line = server.line(of: "administrator")
    #expect(line.contains("token-file=\(data)/admin.token"))
    let secret = try String(contentsOfFile: data + "/admin.token", encoding: .utf8)
    #expect(secret.hasPrefix("qv_") && secret.count == 47 && secret.hasSuffix("\n"))
    let attributes = try FileManager.default.attributesOfItem(atPath: data + "/admin.token")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    server.send(SIGTERM)
    let ending = server.end()
    #expect(ending.code == 0)
    #expect(!ending.log.contains("qv_"))

    let again = try ServerProcess("--data", data, "--listen", Self.anyPort)
    _ = again.line(of: "serving")
    again.send(SIGTERM)
    #expect(again.end().code == 0)
    #expect(try String(contentsOfFile: data + "/admin.token", encoding: .utf8) == secret)
  }

  @Test("SIGTERM and SIGINT start a drain", arguments: [SIGTERM, SIGINT])
  func drain(signal: Int32) throws {
    let directory = try TemporaryDirectory()
    let server = try ServerProcess("--data", directory.path, "--listen", Self.anyPort)
    _ = server.line(of: "serving")
    server.send(signal)
    let ending = server.end()
    #expect(ending.code == 0)
    #expect(ending.log.contains("event=draining") && ending.log.contains("event=stopped"))
  }

  @Test("A second server on the same directory is refused with a message, and the first continues")
  func secondServer() throws {
    let directory = try TemporaryDirectory()
    let first = try ServerProcess("--data", directory.path, "--listen", Self.anyPort)
    _ = first.line(of: "serving")
    let second = try ServerProcess("--data", directory.path, "--listen", Self.anyPort).end()
    #expect(second.code == 75)
    #expect(second.log.contains("another server has the data directory \(directory.path)"))
    let token = try ServerProcess("admin-token", "--data", directory.path).end()
    #expect(token.code == 75 && token.output.isEmpty)
    #expect(token.log.contains("another server has the data directory"))
    first.send(SIGTERM)
    #expect(first.end().code == 0)
  }

  @Test("A missing database is an error that changes nothing, and init or --init creates one")
  func initialize() throws {
    let directory = try TemporaryDirectory()
    let data = directory.path + "/data"
    for arguments in [
      ["--data", data, "--listen", Self.anyPort], ["admin-token", "--data", data],
    ] {
      let ending = try ServerProcess(arguments, initializes: false).end()
      #expect(ending.code == 73)
      #expect(ending.log.contains("there is no database in \(data)"))
      #expect(ending.log.contains("quiverd init --data \(data)"))
      #expect(!FileManager.default.fileExists(atPath: data))
    }
    // An empty directory is no better, and stays empty.
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let empty = try ServerProcess(
      ["--data", data, "--listen", Self.anyPort], initializes: false
    ).end()
    #expect(empty.code == 73)
    #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)

    #expect(try ServerProcess("init", "--data", data).end().code == 0)
    let again = try ServerProcess("init", "--data", data).end()
    #expect(again.code == 73 && again.log.contains("there is a database already"))
    let server = try ServerProcess(
      ["--data", data, "--listen", Self.anyPort], initializes: false)
    _ = server.line(of: "serving")
    server.send(SIGTERM)
    #expect(server.end().code == 0)
  }

  @Test("A port in use is named")
  func portInUse() throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let first = try ServerProcess("--data", one.path, "--listen", Self.anyPort)
    let line = first.line(of: "listening")
    let address = try #require(line.split(separator: "address=").last.map(String.init))
    let second = try ServerProcess("--data", other.path, "--listen", address).end()
    #expect(second.code == 75)
    #expect(second.log.contains("cannot listen on \(address)"))
    first.send(SIGTERM)
    #expect(first.end().code == 0)
  }

  @Test("admin-token creates another token and prints the path of its file")
  func adminToken() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/admin.token"
    let first = try ServerProcess("init", "--data", directory.path).end()
    #expect(first.code == 0 && first.output == path + "\n")
    let secret = try String(contentsOfFile: path, encoding: .utf8)
    let second = try ServerProcess("admin-token", "--data", directory.path).end()
    #expect(second.code == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) != secret)
  }

  @Test(
    "restore copies a file to an empty directory, and refuses a directory in use and bad arguments"
  )
  func restore() throws {
    let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
    let first = try ServerProcess("--data", one.path, "--listen", Self.anyPort)
    _ = first.line(of: "serving")
    first.send(SIGTERM)
    #expect(first.end().code == 0)
    let file = one.path + "/quiver.db"
    let ending = try ServerProcess("restore", file, "--data", other.path).end()
    #expect(ending.code == 0 && ending.output.contains("restored \(file)"))
    let server = try ServerProcess("--data", other.path, "--listen", Self.anyPort)
    _ = server.line(of: "serving")
    let live = try ServerProcess("restore", file, "--data", other.path).end()
    #expect(live.code == 75 && live.log.contains(other.path))
    server.send(SIGTERM)
    #expect(server.end().code == 0)
    #expect(try ServerProcess("restore", file, "--data", other.path).end().code == 73)
    #expect(try ServerProcess("restore", "--data", other.path).end().code == 64)
    #expect(try ServerProcess("restore", file).end().code == 64)
  }

  @Test("A data directory that cannot be created is named", arguments: ["", "/below"])
  func unwritable(rest: String) throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/file"
    try Data("not a directory".utf8).write(to: URL(fileURLWithPath: file))
    let ending = try ServerProcess("--data", file + rest, "--listen", Self.anyPort).end()
    #expect(ending.code == 73)
    #expect(ending.log.contains(file + rest))
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("not a directory".utf8))
  }

  @Test("A file that is not a database is refused and not changed")
  func foreignDatabase() throws {
    let directory = try TemporaryDirectory()
    let file = URL(fileURLWithPath: directory.path + "/quiver.db")
    let content = Data((0..<8_192).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try content.write(to: file)
    let ending = try ServerProcess("--data", directory.path, "--listen", Self.anyPort).end()
    #expect(ending.code == 73)
    #expect(ending.log.contains(file.path))
    #expect(try Data(contentsOf: file) == content)
  }

  @Test(
    "The server listens beyond loopback only if that is allowed",
    arguments: ["0.0.0.0:0", "[::]:0"])
  func plaintext(address: String) throws {
    let directory = try TemporaryDirectory()
    let data = directory.path + "/data"
    let ending = try ServerProcess("--data", data, "--listen", address).end()
    #expect(ending.code == 64)
    #expect(ending.log.contains("--allow-plaintext") && ending.log.contains(address))
    #expect(!FileManager.default.fileExists(atPath: data))

    let server = try ServerProcess("--data", data, "--listen", address, "--allow-plaintext")
    _ = server.line(of: "serving")
    server.send(SIGTERM)
    #expect(server.end().code == 0)
  }

  @Test("A server that cannot listen closes its store, so that the next start checks nothing")
  func failedListening() throws {
    let directory = try TemporaryDirectory()
    let data = directory.path + "/data"
    let file = directory.path + "/file"
    try "mine".write(toFile: file, atomically: false, encoding: .utf8)
    let ending = try ServerProcess("--data", data, "--listen", "unix:" + file).end()
    #expect(ending.code == 75)
    #expect(ending.log.contains("is not a socket"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(FileManager.default.fileExists(atPath: data + "/quiver.clean"))
  }

  @Test("Bad arguments exit with 64 and a suggestion; help and version exit with 0")
  func arguments() throws {
    let bad = try ServerProcess("--dat", "x").end()
    #expect(bad.code == 64 && bad.log.contains("did you mean --data?"))
    let help = try ServerProcess("--help").end()
    #expect(help.code == 0 && help.log.isEmpty)
    for word in ["--listen", "--max-frame-bytes", "admin-token", "Exit codes", "74", "75"] {
      #expect(help.output.contains(word), "\(word)")
    }
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 90 })
    let version = try ServerProcess("--version").end()
    #expect(version.code == 0 && version.output.hasPrefix("quiverd "))
  }

  @Test("A Unix socket accepts connections, and its file is removed at the end")
  func unixSocket() throws {
    let directory = try TemporaryDirectory()
    let socket = directory.path + "/socket"
    let server = try ServerProcess("--data", directory.path, "--listen", "unix:" + socket)
    #expect(server.line(of: "listening").hasSuffix("address=unix:\(socket)"))
    let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    server.send(SIGTERM)
    #expect(server.end().code == 0)
  }
}
