public import QuiverProtobuf

/// A service: the methods that a server answers under one name.
///
/// A service declares each method once, as a stored property of ``Methods``; everything that needs
/// all of them derives the list from that. A property is also found on the type itself, as in
/// `Equipment.getHub`.
@dynamicMemberLookup
public protocol RPCService {
  /// One stored property for each method, or for a struct of methods.
  associatedtype Methods: Sendable

  /// The methods of the service.
  static var methods: Methods { get }

  /// Messages that no method names: details of errors, and messages that are sent encoded in
  /// `bytes`.
  static var details: [any Message.Type] { get }
}

extension RPCService {
  public static var details: [any Message.Type] { [] }

  /// A method, or a group of methods, by its name.
  public static subscript<Value>(dynamicMember path: KeyPath<Methods, Value>) -> Value {
    methods[keyPath: path]
  }

  /// Every method of the service, by id; created by each call.
  package static var declarations: [MethodInfo] {
    MethodDeclarations.of(methods).sorted { $0.id < $1.id }
  }

  /// The full name, as in `quiver.v1.Equipment`.
  package static var name: String { declarations.first?.serviceName ?? "" }
}

/// Finds the methods in the stored properties of a value.
private enum MethodDeclarations {
  static func of(_ value: Any) -> [MethodInfo] {
    Mirror(reflecting: value).children.flatMap { child -> [MethodInfo] in
      if let method = child.value as? any MethodDeclaration { return [method.info] }
      return of(child.value)
    }
  }
}

/// A method of any kind with any messages.
private protocol MethodDeclaration {
  var info: MethodInfo { get }
}

extension Method: MethodDeclaration {}
