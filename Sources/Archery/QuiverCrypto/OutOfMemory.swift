/// Ends the process with that sentence.
func outOfMemory(_ sentence: StaticString) -> Never {
  // libcrypto refuses these calls only where memory is exhausted or its build is broken, whatever
  // the bytes were; no further result could be trusted.
  fatalError("\(sentence)")
}
