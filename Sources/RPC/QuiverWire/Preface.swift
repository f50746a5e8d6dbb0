/// The eight bytes that each side sends first.
package enum Preface {
  /// The version that this library implements; the preface's last byte.
  package static let majorVersion: UInt8 = 1
  /// `91 51 56 52 0D 0A 1A` and the version.
  package static let bytes: [UInt8] = [0x91, 0x51, 0x56, 0x52, 0x0D, 0x0A, 0x1A, majorVersion]
  package static let byteCount = 8

  /// The byte that must stand at `index`, which is 0 to 6; the last one is the version.
  package static func magicByte(at index: Int) -> UInt8 { bytes[index] }
}
