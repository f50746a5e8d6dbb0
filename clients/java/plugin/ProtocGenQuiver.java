import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A protoc plugin: writes quiver/Services.java and a class for each service of Protos/.
 *
 * <p>usage: protoc --plugin=protoc-gen-quiver=SCRIPT --quiver_out=FOLDER FILES
 */
public final class ProtocGenQuiver {
  private static final int METHOD_ID = 50100, MUTATING = 50101;

  private final CodeGeneratorResponse.Builder response = CodeGeneratorResponse.newBuilder()
      .setSupportedFeatures(CodeGeneratorResponse.Feature.FEATURE_PROTO3_OPTIONAL_VALUE);
  private final Map<String, DescriptorProto> types = new HashMap<>();
  private final StringBuilder services = new StringBuilder();

  public static void main(String[] words) throws IOException {
    new ProtocGenQuiver().run(CodeGeneratorRequest.parseFrom(System.in)).writeTo(System.out);
  }

  private CodeGeneratorResponse run(CodeGeneratorRequest request) {
    for (FileDescriptorProto file : request.getProtoFileList()) {
      for (DescriptorProto type : file.getMessageTypeList()) {
        types.put("." + file.getPackage() + "." + type.getName(), type);
      }
    }
    for (FileDescriptorProto file : request.getProtoFileList()) {
      for (int place = 0; place < file.getServiceCount(); place++) write(file, place);
    }
    String text = """
        package quiver;

        import com.google.protobuf.MessageLite;

        /** The services of a server. Made by ProtocGenQuiver. */
        public abstract class Services {
          Services() {}

          /**
           * Makes a unary call and waits for its reply.
           *
           * @param <Q> the requests
           * @param <R> the replies
           * @param method its declaration
           * @param request its message
           * @param options deadline, key and metadata
           * @return the reply with its metadata
           * @throws RpcException if the call does not end OK
           */
          public abstract <Q extends MessageLite, R extends MessageLite> Reply<R> call(
              Method<Q, R> method, Q request, CallOptions options);

          /**
           * Makes a unary call.
           *
           * @param <Q> the requests
           * @param <R> the replies
           * @param method its declaration
           * @param request its message
           * @param options deadline, key and metadata
           * @return the reply, or an RpcException; cancelling the future cancels the call
           */
          public abstract <Q extends MessageLite, R extends MessageLite>
              java.util.concurrent.CompletableFuture<Reply<R>> callAsync(
                  Method<Q, R> method, Q request, CallOptions options);

          /**
           * Starts a server-streaming call, or a watch.
           *
           * @param <Q> the requests
           * @param <R> the replies
           * @param method its declaration
           * @param request its message
           * @param options deadline, position and metadata
           * @return its messages
           */
          public abstract <Q extends MessageLite, R extends MessageLite> ReplyStream<R> stream(
              Method<Q, R> method, Q request, CallOptions options);

          /**
           * Starts a call whose request is a stream.
           *
           * @param <Q> the requests
           * @param <R> the replies
           * @param method its declaration
           * @param options deadline and metadata
           * @return the call
           */
          public abstract <Q extends MessageLite, R extends MessageLite> StreamingCall<Q, R> open(
              Method<Q, R> method, CallOptions options);
        """ + services + "}\n";
    add("Services", text);
    return response.build();
  }

  private void add(String name, String text) {
    response.addFile(CodeGeneratorResponse.File.newBuilder().setName("quiver/" + name + ".java").setContent(text));
  }

  private static String lowered(String name) {
    return Character.toLowerCase(name.charAt(0)) + name.substring(1);
  }

  /** `.quiver.v1.Riser` as `quiver.v1.Riser`. */
  private static String type(String name) {
    return name.substring(1);
  }

  private static long option(MethodDescriptorProto method, int number) {
    List<Long> values = method.getOptions().getUnknownFields().getField(number).getVarintList();
    return values.isEmpty() ? 0 : values.get(values.size() - 1);
  }

  private boolean isWatch(MethodDescriptorProto method) {
    if (!method.getServerStreaming()) return false;
    for (FieldDescriptorProto field : types.get(method.getOutputType()).getFieldList()) {
      if (field.getName().equals("span") && field.getTypeName().equals(".quiver.v1.WatchSpan")) return true;
    }
    return false;
  }

  private static String comment(
      FileDescriptorProto file, String indent, String otherwise, List<String> tags, Integer... path) {
    String found = otherwise;
    for (Location one : file.getSourceCodeInfo().getLocationList()) {
      if (one.getPathList().equals(List.of(path)) && one.hasLeadingComments()) found = one.getLeadingComments();
    }
    found = found.strip().replace("*/", "* /").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        .replace("@", "&#64;");
    if (!tags.isEmpty()) found += "\n\n" + String.join("\n", tags);
    return indent + "/** " + found.replaceAll("\n *", "\n" + indent + " * ").replaceAll(" +\n", "\n") + " */\n";
  }

  private void write(FileDescriptorProto file, int place) {
    ServiceDescriptorProto service = file.getService(place);
    String name = service.getName() + "Service";
    StringBuilder text = new StringBuilder("package quiver;\n\nimport java.util.concurrent.CompletableFuture;\n\n");
    text.append(comment(file, "", "The methods of quiver.v1." + service.getName() + ".", List.of(), 6, place));
    text.append("public final class ").append(name).append(" {\n");
    StringBuilder bodies = new StringBuilder();
    for (int each = 0; each < service.getMethodCount(); each++) {
      int number = each;
      MethodDescriptorProto method = service.getMethod(number);
      String constant = method.getName().replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase();
      String request = type(method.getInputType()), reply = type(method.getOutputType());
      text.append("  /** The declaration of %s. */\n".formatted(method.getName()));
      text.append("  public static final Method<%s, %s> %s = new Method<>(\n      %d, \"%s.%s/%s\", %s.parser(), %b, %b, %b, %b);\n".formatted(
          request, reply, constant, option(method, METHOD_ID), file.getPackage(), service.getName(),
          method.getName(), reply, method.getClientStreaming(), method.getServerStreaming(),
          option(method, MUTATING) != 0, isWatch(method)));
      body(bodies, tags -> comment(file, "  ", "Calls " + method.getName() + ".", tags, 6, place, 2, number),
          lowered(method.getName()), constant, request, reply, method);
    }
    text.append("\n  private final Services client;\n\n  ").append(name)
        .append("(Services client) {\n    this.client = client;\n  }\n").append(bodies).append("}\n");
    add(name, text.toString());
    services.append("\n").append("  /** {@return the methods of quiver.v1.%s} */\n".formatted(service.getName()))
        .append("  public ").append(name).append(" ").append(lowered(service.getName()))
        .append("() {\n    return new ").append(name).append("(this);\n  }\n");
  }

  private static final String REQUEST = "@param request the message of the call";
  private static final String OPTIONS = "@param options what goes with the call";
  private static final String THROWS = "@throws RpcException if the call does not end OK";

  private static void body(
      StringBuilder out, Function<List<String>, String> doc, String name, String constant, String request,
      String reply, MethodDescriptorProto method) {
    if (method.getClientStreaming()) {
      String type = "StreamingCall<%s, %s>".formatted(request, reply), call = "@return the call";
      out.append("\n%s  public %s %s() {\n    return %s(CallOptions.NONE);\n  }\n".formatted(
          doc.apply(List.of(call)), type, name, name));
      out.append("\n%s  public %s %s(CallOptions options) {\n    return client.open(%s, options);\n  }\n".formatted(
          doc.apply(List.of(OPTIONS, call)), type, name, constant));
      return;
    }
    boolean streams = method.getServerStreaming();
    String type = streams ? "ReplyStream<" + reply + ">" : reply;
    String found = streams ? "@return its messages" : "@return the reply";
    List<String> one = streams ? List.of(REQUEST, found) : List.of(REQUEST, found, THROWS);
    List<String> both = streams ? List.of(REQUEST, OPTIONS, found) : List.of(REQUEST, OPTIONS, found, THROWS);
    out.append("\n%s  public %s %s(%s request) {\n    return %s(request, CallOptions.NONE);\n  }\n".formatted(
        doc.apply(one), type, name, request, name));
    out.append("\n%s  public %s %s(%s request, CallOptions options) {\n    return client.%s(%s, request, options)%s;\n  }\n".formatted(
        doc.apply(both), type, name, request, streams ? "stream" : "call", constant, streams ? "" : ".message()"));
    if (streams) return;
    String future = "@return the reply, or an RpcException; cancelling the future cancels the call";
    out.append("\n%s  public CompletableFuture<%s> %sFuture(%s request, CallOptions options) {\n    CompletableFuture<Reply<%s>> made = client.callAsync(%s, request, options);\n    CompletableFuture<%s> reply = made.thenApply(Reply::message);\n    reply.whenComplete((message, error) -> {\n      if (reply.isCancelled()) made.cancel(false);\n    });\n    return reply;\n  }\n".formatted(
        doc.apply(List.of(REQUEST, OPTIONS, future)), reply, name, request, reply, constant, reply));
  }
}
