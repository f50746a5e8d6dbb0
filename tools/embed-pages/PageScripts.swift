/// Which texts are sent, and how.
enum PageScripts {
  /// The module that a page names is sent with all that it imports. Other modules of pages are not
  /// sent; those of the client are, since pages of others may import them.
  ///
  /// - Parameter texts: by paths such as `score/index.html` and `client/client.js`.
  static func sent(_ texts: [String: String]) throws -> [String: String] {
    let modules = texts.filter { $0.key.hasSuffix(".js") }
    var sent = texts.filter { name, _ in
      !name.hasSuffix(".js") || name.hasPrefix("client/") || name.hasSuffix("/worker.js")
    }
    for name in sent.keys where name.hasSuffix(".js") {
      sent[name] = sent[name].map(ModuleText.stripped)
    }
    for (name, page) in texts where name.hasSuffix("/index.html") {
      for script in page.split(
        separator: "<script type=\"module\" src=\"/", omittingEmptySubsequences: false
      ).dropFirst() {
        let module = String(script.prefix { $0 != "\"" })
        sent[module] = try ModuleBundle.text(of: module, in: modules)
      }
    }
    return sent
  }
}
