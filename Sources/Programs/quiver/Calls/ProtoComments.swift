/// The comments of the fields and values in `Protos/`, with units and limits: those of this
/// program's version, since a server's description has none.
enum ProtoComments {
  private static let texts: [Substring: Substring] = {
    let text = String(decoding: PackageResources.comments_txt, as: UTF8.self)
    let pairs = text.split(separator: "\n").compactMap { line -> (Substring, Substring)? in
      guard let tab = line.firstIndex(of: "\t") else { return nil }
      return (line[..<tab], line[line.index(after: tab)...])
    }
    return Dictionary(pairs) { first, _ in first }
  }()

  /// The lines of the comment of a field (`quiver.v1.Riser.brand`) or value (`quiver.v1.FACE_3D`);
  /// empty where there is none.
  static func lines(of name: String) -> [String] {
    let package = "quiver.v1."
    guard name.hasPrefix(package), let text = texts[name.dropFirst(package.count)] else {
      return []
    }
    return text.split(separator: #"\n"#, omittingEmptySubsequences: false).map(String.init)
  }
}
