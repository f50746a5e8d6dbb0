/// What is wrong with the arguments, in a sentence that names the cure.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
