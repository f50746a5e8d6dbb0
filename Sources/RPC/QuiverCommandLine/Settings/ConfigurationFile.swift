import Glibc

/// A file of `name = value` lines with the names of the flags, without their dashes.
///
/// A `#` at the start of a line or after a space begins a comment. A flag without a value takes
/// `yes` or `no`.
package struct ConfigurationFile<Values: Sendable> {
  package typealias Flag = ConfigurationFlag<Values>

  private let flags: [Flag]
  private static var maxByteCount: Int { 1 << 20 }

  /// - Parameter flags: the settings that a file may have.
  package init(_ flags: [Flag]) { self.flags = flags }

  /// The file's settings, in order. Throws with the line of the first mistake.
  package func read(_ path: String) throws(UsageError) -> [Setting<Values>] {
    try settings(in: try Self.text(ofFile: path), path)
  }

  /// The settings of a text that is the content of `path`.
  func settings(in text: String, _ path: String) throws(UsageError) -> [Setting<Values>] {
    var settings: [Setting<Values>] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let source = SettingSource.file(path, line: index + 1)
      let content = Self.trimmed(Self.withoutComment(line))
      guard !content.isEmpty else { continue }
      guard let equals = content.firstIndex(of: "=") else {
        throw UsageError("\(source): a line is name = value or a comment with #")
      }
      let name = Self.trimmed(content[..<equals])
      let value = Self.trimmed(content[content.index(after: equals)...])
      let flag = try flag(named: name, source)
      if !flag.repeats, let first = settings.first(where: { $0.flag.name == flag.name }) {
        throw UsageError("\(source): \(name) is set already, at \(first.source)")
      }
      guard !value.isEmpty else {
        throw UsageError("\(source): \(name) has no value: \(flag.fileUsage)")
      }
      try flag.checkWritten(value, at: source)
      settings.append(Setting(flag: flag, value: value, source: source))
    }
    return settings
  }

  private func flag(
    named name: String, _ source: SettingSource
  ) throws(UsageError) -> Flag {
    guard let flag = flags.first(where: { $0.settingName == name }) else {
      let known = flags.filter { !$0.isCommandLineOnly }.map(\.settingName)
      let nearest = Spelling.nearest(to: name, among: known)
      throw UsageError(
        "\(source): there is no setting \(name)" + (nearest.map { "; did you mean \($0)?" } ?? ""))
    }
    guard !flag.isCommandLineOnly else {
      throw UsageError("\(source): \(name) can only be given on the command line")
    }
    return flag
  }

  private static func withoutComment(_ line: Substring) -> Substring {
    var isAfterSpace = true
    for index in line.indices {
      if line[index] == "#", isAfterSpace { return line[..<index] }
      isAfterSpace = line[index] == " " || line[index] == "\t"
    }
    return line
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
    let rest = text.drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(rest[...last])
  }

  private static func text(ofFile path: String) throws(UsageError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw UsageError("--config \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= maxByteCount {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw UsageError("--config \(path): \(String(cString: strerror(errno)))")
      }
      guard count > 0 else {
        guard let text = String(validating: bytes, as: UTF8.self) else {
          throw UsageError("--config \(path): the file is not UTF-8")
        }
        return text
      }
      bytes += buffer[..<count]
    }
    throw UsageError("--config \(path): the file has more than \(maxByteCount) bytes")
  }
}
