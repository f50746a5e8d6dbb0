import QuiverWire
import Testing

@Suite("Codes", .timeLimit(.minutes(5)))
struct CodeTests {
  @Test("Status codes are gRPC's 0 to 16, in gRPC's order and spelling")
  func statusCodes() {
    let names = [
      "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
      "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
      "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS",
      "UNAUTHENTICATED",
    ]
    #expect(StatusCode.known.map(\.name) == names)
    #expect(StatusCode.known.map(\.rawValue) == Array(0...16))
    for code in StatusCode.known { #expect(StatusCode(rawValue: code.rawValue) == code) }
  }

  @Test("Codes without a name keep their number", arguments: [17, 99, UInt32.max])
  func unknownCodes(_ number: UInt32) {
    let status = StatusCode(rawValue: number)
    #expect(status != .unknown && !status.isKnown && status.rawValue == number)
    #expect("\(status)" == "CODE_\(number)")
    let ending = ConnectionErrorCode(rawValue: number)
    #expect(!ending.isKnown && ending.rawValue == number && "\(ending)" == "CODE_\(number)")
  }

  @Test("Patterns of a switch match codes, and the rest is the default")
  func patterns() {
    func kind(_ code: StatusCode) -> String {
      switch code {
      case .unavailable, .deadlineExceeded: "transient"
      case .internal: "defect"
      default: "other"
      }
    }
    let transient = StatusCode.known.filter { kind($0) == "transient" }
    #expect(transient == [.deadlineExceeded, .unavailable])
    #expect(StatusCode.known.filter { kind($0) == "defect" } == [.internal])
    #expect(kind(StatusCode(rawValue: 99)) == "other")
  }

  @Test("Connection error codes are the table of section 7")
  func connectionErrorCodes() {
    let names = [
      "NO_ERROR", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR",
      "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "ENHANCE_YOUR_CALM", "TIMEOUT", "INTERNAL_ERROR",
      "TOO_MANY_CONNECTIONS",
    ]
    #expect(ConnectionErrorCode.known.map(\.name) == names)
    #expect(ConnectionErrorCode.known.map(\.rawValue) == Array(0...9))
  }

  @Test("The preface has the eight bytes of section 1")
  func preface() {
    #expect(Preface.bytes == [0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x01])
    #expect((0..<7).map { Preface.magicByte(at: $0) } == Array(Preface.bytes.prefix(7)))
  }
}
