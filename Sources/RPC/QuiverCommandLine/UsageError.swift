/// A fault of the arguments, in a sentence that states what to do.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
