// `import Quiver` is the only import of a program that calls a server: the client, the messages and
// methods of the archery services, and the types of calls and errors.
@_exported public import QuiverAPI
@_exported public import QuiverClient
@_exported public import QuiverProtobuf
@_exported public import QuiverRPC
@_exported public import QuiverWire
