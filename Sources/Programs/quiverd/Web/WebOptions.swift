import Glibc
import QuiverCommandLine
import QuiverDaemon
import QuiverDispatch

/// The settings of the web mode: a gateway that the server starts.
struct WebOptions: Sendable, Equatable {
  /// As it was written; nil: no gateway is started.
  var address: String?
  var certificateFile: String?
  var keyFile: String?
  /// By which people reach the pages; nil: the address at which the gateway listens.
  var publicAddress: String?
  /// Has the name of the Wi-Fi and its password, of which a QR code is shown.
  var wifiFile: String?
  /// Whether judges and helpers at check-in sign in without encryption.
  var takesOfficials = false

  static let defaultPort: UInt16 = 7480

  /// Where the gateway listens, and how people reach it.
  struct Place: Equatable {
    var host: String
    var port: UInt16
    var isSecure: Bool
    var publicAddress: String

    /// Whether only this machine reaches it.
    var isLoopback: Bool
  }

  /// Throws what does not go together.
  func validate() throws(UsageError) {
    guard (certificateFile == nil) == (keyFile == nil) else {
      throw UsageError("--web-certificate and --web-key go together")
    }
    guard
      address != nil
        || certificateFile == nil && publicAddress == nil && wifiFile == nil
          && !takesOfficials
    else {
      throw UsageError(
        "--web-certificate, --web-key, --web-wifi, --web-open-officials and --public-url need --web"
          + " ADDRESS")
    }
    guard !takesOfficials || certificateFile == nil else {
      throw UsageError(
        "--web-open-officials is for pages without a certificate; with one officials sign in"
          + " encrypted")
    }
  }

  /// The Wi-Fi of the file; nil without one. Throws, in a sentence, where the file is not as it
  /// should be.
  func wifi(_ read: (String) -> String? = WiFi.read) throws(UsageError) -> WiFi? {
    guard let wifiFile else { return nil }
    guard let text = read(wifiFile) else {
      throw UsageError("--web-wifi: \(wifiFile) cannot be read, or is longer than 1 KiB")
    }
    guard let wifi = WiFi(text) else {
      throw UsageError(
        "--web-wifi: \(wifiFile) must have the name of the Wi-Fi in its first line (1 to 32 bytes)"
          + " and in its second one the password (8 to 63 characters); an open one has none")
    }
    return wifi
  }

  /// Nil: no gateway is started. Throws where there is no such address, in a sentence.
  func place(_ network: () -> String? = NetworkAddress.ofThisMachine) throws(UsageError) -> Place? {
    guard let address else { return nil }
    guard let (name, port) = Self.parts(address) else {
      throw UsageError("--web requires lan, HOST, HOST:PORT or [IPv6]:PORT")
    }
    var host = name
    if name == "lan" {
      guard let found = network() else {
        throw UsageError(
          "--web lan: this computer has no address in a network; connect it to the Wi-Fi or the"
            + " router of the event, or give --web ADDRESS")
      }
      host = found
    }
    let written = host.contains(":") ? "[\(host)]" : host
    let isSecure = certificateFile != nil
    let scheme = isSecure ? "https" : "http"
    let standardPort: UInt16 = isSecure ? 443 : 80
    let own = "\(scheme)://\(written)" + (port == standardPort ? "" : ":\(port)")
    return Place(
      host: written, port: port, isSecure: isSecure, publicAddress: publicAddress ?? own,
      isLoopback: host == "localhost" || host == "::1" || host.hasPrefix("127."))
  }

  /// The name of the host of the public address, without a port.
  var publicHost: String? {
    guard let rest = publicAddress?.split(separator: "/", maxSplits: 2).last else { return nil }
    return rest.split(separator: ":").first.map(String.init)
  }

  private static func parts(_ text: String) -> (host: String, port: UInt16)? {
    guard text != "lan" else { return (text, defaultPort) }
    if let endpoint = Endpoint(text), case .tcp(let host, let port) = endpoint.kind,
      !endpoint.isSecure
    {
      return port == 0 || host.isEmpty ? nil : (host, port)
    }
    let isName = text.utf8.allSatisfy { byte in
      byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    return isName && !text.isEmpty ? (text, defaultPort) : nil
  }

  static let flags = [
    Flag(
      "--web", "ADDRESS|lan",
      "start quiver-gateway beside the server, with the pages for phones, at HOST:PORT (default"
        + " port \(defaultPort)); lan: at this computer's address in its network. Without a"
        + " certificate it takes the tokens of devices and spectators alone, but on loopback all"
    ) { (value, configuration) throws(UsageError) in
      guard parts(value) != nil else {
        throw UsageError("--web requires lan, HOST, HOST:PORT or [IPv6]:PORT")
      }
      configuration.web.address = value
    }
    .shown { $0.web.address.map { [$0] } ?? [] },
    Flag(
      "--web-certificate", "FILE", "its certificate, PEM: the pages are then at https"
    ) { (value, configuration) throws(UsageError) in
      configuration.web.certificateFile = value
    }
    .shown { $0.web.certificateFile.map { [$0] } ?? [] },
    Flag(
      "--web-key", "FILE", "the private key of that, PEM without a password"
    ) { (value, configuration) throws(UsageError) in
      configuration.web.keyFile = value
    }
    .shown { $0.web.keyFile.map { [$0] } ?? [] },
    Flag(
      "--web-wifi", "FILE",
      "the name of the Wi-Fi in its first line and the password in its second one: a terminal then"
        + " shows a QR code that joins it"
    ) { (value, configuration) throws(UsageError) in
      configuration.web.wifiFile = value
    }
    .shown { $0.web.wifiFile.map { [$0] } ?? [] },
    Flag(
      "--web-open-officials", nil,
      "judges and helpers at check-in sign in on phones without a certificate, too: whoever listens"
        + " in that network can read their sign-in, and rule and check in as they do, until an"
        + " organiser removes them at the desk. Organisers never sign in so"
    ) { (_, configuration) throws(UsageError) in
      configuration.web.takesOfficials = true
    }
    .shown { $0.web.takesOfficials ? ["yes"] : ["no"] },
    Flag(
      "--public-url", "URL",
      "by which people reach the pages, for example https://scores.club.example; default the"
        + " address of --web"
    ) { (value, configuration) throws(UsageError) in
      guard PublicAddress.isValid(value) else {
        throw UsageError("--public-url requires http:// or https:// and a host, without a path")
      }
      configuration.web.publicAddress = value
    }
    .shown { $0.web.publicAddress.map { [$0] } ?? [] },
  ]
}

/// A Wi-Fi that phones join.
struct WiFi: Sendable, Equatable {
  let name: String
  /// Nil: the Wi-Fi is open.
  let password: String?

  /// By the lines of a file; nil where they are not within the limits of IEEE 802.11: a name of 1
  /// to 32 bytes, a password of 8 to 63 characters of ASCII.
  init?(_ file: String) {
    // A carriage return and a line feed are one character.
    let lines = file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    guard let name = lines.first, (1...32).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7f }),
      lines.dropFirst(2).allSatisfy(\.isEmpty)
    else { return nil }
    self.name = name
    let password = lines.count > 1 ? lines[1] : ""
    guard password.isEmpty || (8...63).contains(password.utf8.count),
      password.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
    else { return nil }
    self.password = password.isEmpty ? nil : password
  }

  /// What the cameras of phones read, by the form that ZXing has described: a backslash stands
  /// before `\`, `;`, `,`, `"` and `:`.
  var text: String {
    func escaped(_ text: String) -> String {
      text.reduce(into: "") { $0 += "\\;,\":".contains($1) ? "\\\($1)" : "\($1)" }
    }
    guard let password else { return "WIFI:T:nopass;S:\(escaped(name));;" }
    return "WIFI:T:WPA;S:\(escaped(name));P:\(escaped(password));;"
  }

  static func read(_ path: String) -> String? { TextFile.read(path, atMost: 1_024) }
}

/// The address of this machine in its network.
enum NetworkAddress {
  /// That of the interface by which other networks are reached, else the first private one.
  static func ofThisMachine() -> String? { ofRoute() ?? addresses().first }

  /// Connecting a datagram socket sends nothing: the kernel chooses the address.
  private static func ofRoute() -> String? {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = in_port_t(9).bigEndian
    // A network for documentation (RFC 5737).
    guard inet_pton(AF_INET, "192.0.2.1", &target.sin_addr) == 1 else { return nil }
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    var own = sockaddr_in()
    var length = size
    let found = withUnsafeMutableBytes(of: &own) { own in
      withUnsafeBytes(of: &target) { target in
        connect(descriptor, target.baseAddress?.assumingMemoryBound(to: sockaddr.self), size) == 0
          && getsockname(
            descriptor, own.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length) == 0
      }
    }
    return found ? text(own.sin_addr) : nil
  }

  private static func addresses() -> [String] {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return [] }
    defer { freeifaddrs(list) }
    var found: [String] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      guard let address = entry.ifa_addr, address.pointee.sa_family == AF_INET,
        entry.ifa_flags & UInt32(IFF_UP) != 0,
        entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let own = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
      if let text = text(own.sin_addr) { found.append(text) }
    }
    return found
  }

  /// Nil for loopback, which others do not reach.
  private static func text(_ address: in_addr) -> String? {
    var address = address
    var buffer = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    guard inet_ntop(AF_INET, &address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
    let text = String(
      decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.hasPrefix("127.") || text == "0.0.0.0" ? nil : text
  }
}
