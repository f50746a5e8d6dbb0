/// The text of a module as it is sent: without the comments and the indentation of its lines.
///
/// Comments are what begins a line: `//…`, `/* … */` over one or more lines, and `/** … */` before
/// code. Others stay, and so does the whole of a module in which a template has several lines:
/// what is in a string is never taken for a comment.
enum ModuleText {
  static func stripped(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let hasTemplateOfLines = lines.contains { line in line.count { $0 == "`" } % 2 == 1 }
    if hasTemplateOfLines { return text }
    var result = ""
    var isInComment = false
    for line in lines {
      var rest = line.drop { $0 == " " }
      while isInComment || rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else {
          isInComment = true
          rest = ""
          break
        }
        isInComment = false
        rest = rest[end.upperBound...].drop { $0 == " " }
      }
      if rest.isEmpty || rest.hasPrefix("//") { continue }
      result += rest + "\n"
    }
    return result
  }
}
