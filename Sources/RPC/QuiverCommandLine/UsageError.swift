/// What is wrong with the arguments, in a sentence that names the cure.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
