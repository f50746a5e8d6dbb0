/// What a JSON text may hold before it is refused.
package struct JSONLimits: Sendable, Hashable {
  /// Bytes of the text.
  package var maxByteCount = 16_777_216

  /// Objects and arrays inside each other. A message of the codec's 16 levels needs 32.
  package var maxDepth = 40

  /// Values in all: objects, arrays and what they hold. A message may have as many fields.
  package var maxValueCount = 262_144

  /// Characters of a number, also of one in a string. Encoders write at most 25.
  package static let maxNumberLength = 32

  package init() {}
}
