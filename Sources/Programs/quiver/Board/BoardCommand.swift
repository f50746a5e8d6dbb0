import QuiverAPI
import QuiverClient
import QuiverPapers
import QuiverProtobuf
import QuiverRPC
import QuiverWire

/// `quiver board`: where the standings of an event are shown.
enum BoardCommand {
  private static let gateway = Flag(
    "--gateway", .word("URL"), "the gateway for browsers; http://localhost:7480 by default")
  private static let plain = Flag("--no-qr", .none, "print the address alone")
  private static let unchecked = Flag(
    "--unchecked", .none, "ask no server whether the event exists")

  static let command = Command(
    "board", operands: "CODE", summary: "print the address of an event's board, and its QR code",
    details: """
      CODE is the join code of a public event. The board is a page of quiver-gateway that shows the
      standings live. The command first asks the server whether the event exists and is public.
      """,
    flags: [gateway, plain, unchecked, .timeout], run: run)

  private static let run: @Sendable (Arguments) async throws(Failure) -> Void = {
    arguments async throws(Failure) in
    let code = try arguments.operands(1...1, "one CODE")[0]
    let isCode = code.utf8.allSatisfy { byte in
      byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }
    guard isCode, 1...64 ~= code.utf8.count else {
      throw arguments.usage("CODE has letters, digits and hyphens")
    }
    var base = arguments.value(of: gateway) ?? "http://localhost:7480"
    guard base.hasPrefix("http://") || base.hasPrefix("https://") else {
      throw arguments.usage("--gateway expects an address with http:// or https://")
    }
    while base.hasSuffix("/") { base.removeLast() }
    if !arguments.has(unchecked) { try await check(code, arguments) }
    let address = "\(base)/board/\(code)"
    try Terminal.print(address)
    if !arguments.has(plain), let picture = QRCode(address) { try Terminal.print(picture.text) }
  }

  private static func check(_ code: String, _ arguments: Arguments) async throws(Failure) {
    let access = try Access(arguments, sendsToken: false)
    do throws(RPCError) {
      _ = try await access.client.call(
        Tournament.getSpectatorToken, .with { $0.joinCode = code })
    } catch  where error.code == .notFound {
      throw .input("no event has the code \(code); quiver tournament list shows the codes of yours")
    } catch  where error.code == .failedPrecondition {
      throw .input(
        "the event with the code \(code) is private: its board shows nothing. Create it with"
          + " --public, or use quiver tournament watch")
    } catch {
      throw .call(error, hint: "; --unchecked asks no server")
    }
  }
}
