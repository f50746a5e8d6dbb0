import Foundation

/// The C and C++ programs beside the bench, built into `.build/bench` if they are out of date.
struct Peers {
  let folder: String
  let quiverd: String
  let load: String
  let quiver: String
  /// The path of this program.
  let bench: String
  /// The peers that are missing, with the reason.
  private(set) var missing: [String: String] = [:]
  private let sources: String
  private let protos: String

  private static let names = [
    "raw_echo", "load", "streams", "event", "codec", "store_direct", "lifts_direct", "grpc_echo",
    "ttrpc_echo", "allocations", "tls_echo", "tls_handshakes", "postgres_direct", "http2_sessions",
  ]

  init(_ options: Options) throws {
    folder = options.root + "/.build/bench"
    sources = options.root + "/tools/bench/peers"
    protos = options.root + "/Protos"
    quiverd = options.programs + "/quiverd"
    load = options.programs + "/quiver-load"
    quiver = options.programs + "/quiver"
    bench = options.programs + "/bench"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in Self.names where isStale(name) {
      do { try build(name) } catch { missing[name] = String(describing: error) }
    }
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Throws `Unmeasured` if a command's first word is a missing peer.
  func check(_ command: [String]) throws {
    guard let program = command.first else { return }
    let name = URL(fileURLWithPath: program).lastPathComponent
    if let reason = missing[name] { throw Unmeasured("\(name) was not built: \(reason)") }
  }

  private func build(_ name: String) throws {
    switch name {
    case "grpc_echo": try compileGRPC()
    case "ttrpc_echo": try compileTTRPC()
    case "allocations": try compile(name, flags: ["-shared", "-fPIC"])
    case "load", "tls_echo", "tls_handshakes": try compile(name, flags: pkgConfig("openssl"))
    case "http2_sessions": try compile(name, flags: pkgConfig("libnghttp2"))
    case "codec": try compile(name, flags: pkgConfig("libprotobuf-c"))
    case "store_direct", "lifts_direct": try compile(name, flags: pkgConfig("sqlite3"))
    case "postgres_direct": try compile(name, flags: ["-pthread"] + pkgConfig("libpq"))
    default: try compile(name)
    }
  }

  private func isStale(_ name: String) -> Bool {
    let files = FileManager.default
    func changed(_ path: String) -> Date? {
      (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
    }
    guard let built = changed(path(name)) else { return true }
    return (try? files.contentsOfDirectory(atPath: sources))?.contains { file in
      (file.hasPrefix(name) || file.hasSuffix(".h"))
        && (changed(sources + "/" + file) ?? .distantFuture) > built
    } ?? true
  }

  private func pkgConfig(_ names: String...) throws -> [String] { try Self.pkgConfig(names) }

  private static func pkgConfig(_ names: [String]) throws -> [String] {
    let flags = try Programs.output(["pkg-config", "--cflags", "--libs"] + names)
    return flags.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private func compile(_ name: String, flags: [String] = []) throws {
    try Self.compile("\(sources)/\(name).c", to: path(name), flags)
  }

  private static func compile(_ source: String, to program: String, _ flags: [String]) throws {
    _ = try Programs.output(["gcc", "-O2", "-Wall", "-Wextra", "-o", program, source] + flags)
  }

  /// Compiles a C program of the folder `sources` to the file `program`.
  static func compile(
    _ name: String, in sources: String, to program: String, packages: [String]
  ) throws {
    try compile("\(sources)/\(name).c", to: program, pkgConfig(packages))
  }

  /// Compiles with Debian's packages of Go libraries; downloads no modules.
  private func compileTTRPC() throws {
    let settings = [
      "GO111MODULE=off", "GOPATH=/usr/share/gocode", "GOFLAGS=", "GOCACHE=\(folder)/go",
    ]
    _ = try Programs.output(
      ["env"] + settings
        + ["go", "build", "-o", path("ttrpc_echo"), "\(sources)/ttrpc_echo.go"])
  }

  private func compileGRPC() throws {
    let plugin = try Programs.output(["which", "grpc_cpp_plugin"])
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let names = ["quiver/v1/diagnostics", "quiver/v1/wire"]
    _ = try Programs.output(
      [
        "protoc", "-I", protos, "--cpp_out=\(folder)", "--grpc_out=\(folder)",
        "--plugin=protoc-gen-grpc=\(plugin)",
      ] + names.map { $0 + ".proto" })
    let generated = names.flatMap { ["\(folder)/\($0).pb.cc", "\(folder)/\($0).grpc.pb.cc"] }
    let command = [
      "g++", "-O2", "-std=c++17", "-I", folder, "-I", sources, "-o", path("grpc_echo"),
    ]
    _ = try Programs.output(
      command + ["\(sources)/grpc_echo.cc"] + generated + pkgConfig("grpc++", "protobuf"))
  }
}
