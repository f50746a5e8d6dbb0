import QuiverWire
import Testing

@Suite("Frames without payload", .timeLimit(.minutes(5)))
struct EmptyFrameTests {
  @Test("A frame that is a header alone is whole when its last byte has come", arguments: 0...8)
  func header(split: Int) {
    let frame = DeframerTests.frames[1]
    let bytes = DeframerTests.bytes(of: [frame])
    let (found, keeps) = DeframerTests.deframe([Array(bytes[..<split]), Array(bytes[split...])])
    #expect(bytes.count == 8 && found == [frame] && !keeps)
  }
}
