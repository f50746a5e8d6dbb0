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
    #expect(StatusCode.allCases.map(\.name) == names)
    #expect(StatusCode.allCases.map(\.rawValue) == Array(0...16))
    for code in StatusCode.allCases { #expect(StatusCode(wire: code.rawValue) == code) }
  }

  @Test("Other status codes read as UNKNOWN", arguments: [17, 99, UInt32.max])
  func unknownStatus(_ number: UInt32) {
    #expect(StatusCode(wire: number) == .unknown)
  }

  @Test("Connection error codes are the table of section 7")
  func connectionErrorCodes() {
    let names = [
      "NO_ERROR", "PROTOCOL_ERROR", "FRAME_SIZE_ERROR", "FLOW_CONTROL_ERROR",
      "UNSUPPORTED_VERSION", "UNAUTHENTICATED", "ENHANCE_YOUR_CALM", "TIMEOUT", "INTERNAL_ERROR",
      "TOO_MANY_CONNECTIONS",
    ]
    #expect(ConnectionErrorCode.allCases.map(\.name) == names)
    #expect(ConnectionErrorCode.allCases.map(\.rawValue) == Array(0...9))
  }

  @Test("The preface is the eight bytes of section 1")
  func preface() {
    #expect(Preface.bytes == [0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, 0x01])
    #expect((0..<7).map { Preface.magicByte(at: $0) } == Array(Preface.bytes.prefix(7)))
  }
}
