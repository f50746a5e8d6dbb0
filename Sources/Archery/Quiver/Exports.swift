// `import Quiver` is the only import of a program that calls a server: the client, the messages and
// methods of the archery services, and the types of calls and errors. Of the frames only the status
// codes are of use to a caller.
@_exported public import QuiverAPI
@_exported public import QuiverClient
@_exported public import QuiverProtobuf
@_exported public import QuiverRPC
@_exported public import struct QuiverWire.StatusCode
