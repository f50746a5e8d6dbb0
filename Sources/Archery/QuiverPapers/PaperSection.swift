/// A part of a document: its rows can be written from any one on, so that a long document is sent
/// in parts.
package struct PaperSection: Sendable {
  package let opening: String
  package let closing: String
  package let rowCount: Int
  /// The text of a row from 0.
  package let row: @Sendable (Int) -> String

  package init(
    opening: String = "", closing: String = "", rowCount: Int = 0,
    row: @escaping @Sendable (Int) -> String = { _ in "" }
  ) {
    self.opening = opening
    self.closing = closing
    self.rowCount = rowCount
    self.row = row
  }

  /// The text of the rows from one on, as many as fit; `next` is the row after them, nil after the
  /// last. At least one row fits.
  package func text(from first: Int, byteCount: Int) -> (text: String, next: Int?) {
    var text = first == 0 ? opening : ""
    var index = first
    while index < rowCount {
      if text.utf8.count >= byteCount, index > first { return (text, index) }
      text += row(index)
      index += 1
    }
    return (text + closing, nil)
  }

  /// The whole text.
  package var text: String { text(from: 0, byteCount: .max).text }
}
