extension Array {
  /// The elements in their order, in arrays of at most `count`.
  func slices(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min(self.count, $0 + count)])
    }
  }
}
