/// One thing that a principal's programs keep for it.
package struct PreferenceRecord: Sendable, Equatable {
  package let id: Int64
  package let key: String
  package let value: String
  package let updatedAtMilliseconds: Int64
}
