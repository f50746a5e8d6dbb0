import QuiverCommandLine
import QuiverDaemon
import Testing

@testable import quiverd

@Suite("The settings of the web mode", .timeLimit(.minutes(1)))
struct WebOptionsTests {
  private static func place(
    _ address: String, certificate: String? = nil, publicAddress: String? = nil,
    network: String? = "192.0.2.7"
  ) throws -> WebOptions.Place? {
    let options = WebOptions(
      address: address, certificateFile: certificate, keyFile: certificate,
      publicAddress: publicAddress)
    return try options.place { network }
  }

  @Test("lan is the address of this computer in its network, at the port of the gateway")
  func lan() throws {
    let place = try #require(try Self.place("lan"))
    #expect(place.host == "192.0.2.7" && place.port == 7480 && !place.isLoopback)
    #expect(place.publicAddress == "http://192.0.2.7:7480")
    let refusal = #expect(throws: UsageError.self) { try Self.place("lan", network: nil) }
    #expect(refusal?.description.contains("connect it to the Wi-Fi") == true)
  }

  @Test(
    "An address has a host and perhaps a port, and the standard port is not shown",
    arguments: [
      ("10.0.0.5", "http://10.0.0.5:7480"), ("10.0.0.5:8000", "http://10.0.0.5:8000"),
      ("10.0.0.5:80", "http://10.0.0.5"), ("[fd00::2]:7480", "http://[fd00::2]:7480"),
      ("laptop.club.example:80", "http://laptop.club.example"),
      ("lan:8000", "http://192.0.2.7:8000"),
    ])
  func addresses(written: String, shown: String) throws {
    #expect(try Self.place(written)?.publicAddress == shown)
  }

  @Test("With a certificate the pages are at https")
  func certificate() throws {
    let place = try #require(try Self.place("10.0.0.5:443", certificate: "a.pem"))
    #expect(place.isSecure && place.publicAddress == "https://10.0.0.5")
  }

  @Test("The public address is shown instead, and its name is served")
  func publicAddress() throws {
    let written = "https://scores.club.example:8443"
    #expect(try Self.place("lan", publicAddress: written)?.publicAddress == written)
    let options = WebOptions(address: "lan", publicAddress: written)
    #expect(options.publicHost == "scores.club.example")
    for text in ["https://a.example", "http://10.0.0.5:80"] {
      #expect(PublicAddress.isValid(text))
    }
    for text in [
      "a.example", "https://", "https://a/b", "https://a?b", "ftp://a", "https://:1", "https://a&b",
      "https://a\"b",
    ] {
      #expect(!PublicAddress.isValid(text), "\(text)")
    }
  }

  @Test(
    "What is no address is refused",
    arguments: ["", ":1", "10.0.0.5:0", "10.0.0.5:x", "tls://10.0.0.5:1", "unix:/a", "a b"])
  func wrong(address: String) {
    #expect(throws: UsageError.self) { try Self.place(address) }
  }

  @Test("Loopback is known as such, since nobody else reads what is sent there")
  func loopback() throws {
    for address in ["localhost", "127.0.0.1:80", "127.1.2.3", "[::1]:7480"] {
      #expect(try Self.place(address)?.isLoopback == true, "\(address)")
    }
    #expect(try Self.place("128.0.0.1")?.isLoopback == false)
  }

  @Test("Nothing is started without --web, and its other flags need it")
  func without() throws {
    #expect(try WebOptions().place() == nil)
    try WebOptions().validate()
    for options in [
      WebOptions(certificateFile: "a", keyFile: "b"), WebOptions(publicAddress: "https://a"),
      WebOptions(address: "lan", certificateFile: "a"), WebOptions(address: "lan", keyFile: "a"),
      WebOptions(wifiFile: "a"),
    ] {
      #expect(throws: UsageError.self) { try options.validate() }
    }
  }

  @Test("The code of a Wi-Fi has its name and its password as cameras read them")
  func wifi() throws {
    #expect(WiFi("Club\nsecret words\n")?.text == "WIFI:T:WPA;S:Club;P:secret words;;")
    #expect(WiFi("Club\r\nsecret words\r\n")?.text == "WIFI:T:WPA;S:Club;P:secret words;;")
    #expect(WiFi("Club")?.text == "WIFI:T:nopass;S:Club;;")
    let special = try #require(WiFi("a;b:\"c\"\nback\\slash,"))
    #expect(special.text == #"WIFI:T:WPA;S:a\;b\:\"c\";P:back\\slash\,;;"#)
    for text in [
      "", "\nsecret words", "Club\nshort", "Club\nsecret words\nmore", "Club\tEast\nsecret words",
      String(repeating: "n", count: 33), "Club\n" + String(repeating: "p", count: 64),
      "Club\npässwörter",
    ] {
      #expect(WiFi(text) == nil, "\(text)")
    }
    let options = WebOptions(address: "lan", wifiFile: "wifi.txt")
    #expect(try options.wifi { _ in "Club" } == WiFi("Club"))
    #expect(throws: UsageError.self) { try options.wifi { _ in nil } }
    #expect(throws: UsageError.self) { try options.wifi { _ in "Club\nshort" } }
    #expect(try WebOptions(address: "lan").wifi() == nil)
  }

  @Test("The sign of the terminal names the Wi-Fi, and an address that has changed")
  func sign() {
    let plain = WebSign("http://192.0.2.7:7480").text
    #expect(plain.contains("are at http://192.0.2.7:7480") && !plain.contains("before"))
    let changed = WebSign(
      "http://192.0.2.7:7480", before: "http://192.0.2.9:7480", WiFi("Club\nsecret words")
    ).text
    #expect(changed.contains("was http://192.0.2.9:7480 before"))
    #expect(changed.contains("joins the Wi-Fi Club.") && !changed.contains("secret words"))
  }

  @Test("Each token of a gateway is another one")
  func tokens() {
    let tokens = (0..<100).map { _ in WebGateway.makeToken() }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.hasPrefix("qg_") && $0.utf8.count == 67 })
  }
}
