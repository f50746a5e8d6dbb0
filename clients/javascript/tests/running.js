// A server and a gateway of a test's own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const programs = process.env.QUIVER_PROGRAMS;
if (!programs) throw new Error("QUIVER_PROGRAMS names the folder of the programs");

/** What must not outlive the test, however it ends. */
const programsRunning = new Set();
process.on("exit", () => programsRunning.forEach((one) => one.kill("SIGKILL")));
process.on("SIGTERM", () => process.exit(143));

/** A program, and the lines that it writes to its log. */
class Program {
  constructor(name, args) {
    this.lines = [];
    this.waiting = [];
    this.process = spawn(join(programs, name), args, { stdio: ["ignore", "ignore", "pipe"] });
    programsRunning.add(this.process);
    this.process.on("exit", () => programsRunning.delete(this.process));
    this.exit = once(this.process, "exit");
    const log = createInterface({ input: this.process.stderr });
    this.logged = once(log, "close");
    log.on("line", (line) => {
      this.lines.push(line);
      this.waiting = this.waiting.filter((one) => !one(line));
    });
  }

  /** Waits for a line that matches; the program's end is an error. */
  async line(pattern) {
    const old = this.lines.find((line) => pattern.test(line));
    if (old) return pattern.exec(old);
    const found = new Promise((resolve) => this.waiting.push((line) => {
      if (pattern.test(line)) resolve(pattern.exec(line));
      return pattern.test(line);
    }));
    const ended = this.exit.then(() => {
      throw new Error(`the program ended: ${this.lines.join("\n")}`);
    });
    return Promise.race([found, ended]);
  }

  async kill() {
    this.process.kill("SIGKILL");
    await this.exit;
  }

  async end() {
    this.process.kill("SIGTERM");
    const [code] = await this.exit;
    await this.logged;
    if (code !== 0) throw new Error(`a program ended with ${code}: ${this.lines.join("\n")}`);
    // Without connections a gateway keeps nothing of requests.
    const kept = this.lines.filter((line) => line.includes(" event=requests-kept "));
    if (kept.length > 0) throw new Error(kept.join("\n"));
  }
}

export class Running {
  static async start() {
    const running = new Running();
    running.folder = mkdtempSync(join(tmpdir(), "quiver-javascript"));
    running.port = 0;
    await running.startServer();
    running.tokenFile = join(running.folder, "data/admin.token");
    running.token = readFileSync(running.tokenFile, "utf8").trim();
    await running.startGateway();
    return running;
  }

  async startServer() {
    this.server = new Program("quiverd", ["--init", "--data", join(this.folder, "data"), "--listen",
      `unix:${this.folder}/socket`, "--diagnostics"]);
    await this.server.line(/ event=serving/);
  }

  /** The port of the first start is kept. */
  async startGateway() {
    this.gateway = new Program("quiver-gateway", ["--listen", `127.0.0.1:${this.port}`, "--server",
      `unix:${this.folder}/socket`, "--token-file", join(this.folder, "data/admin.token")]);
    await this.gateway.line(/ event=serving/);
    const [, port] = await this.gateway.line(/ event=listening .*:([0-9]+)/);
    this.port = Number(port);
    this.address = `http://127.0.0.1:${port}`;
  }

  async end() {
    await this.gateway.end();
    await this.server.end();
    rmSync(this.folder, { recursive: true });
  }
}

/** Passes connections on to a port, and can do what networks do. */
export class Relay {
  isSilent = false;
  /** Closes connections instead of passing on so many of the next replies. */
  lostReplies = 0;
  requests = 0;
  /** Is called for each probe of a watch. */
  onProbe = () => {};
  sockets = new Set();

  static async start(port) {
    const relay = new Relay();
    relay.target = port;
    relay.server = createServer((socket) => relay.accept(socket));
    relay.server.listen(0, "127.0.0.1");
    await once(relay.server, "listening");
    relay.address = `http://127.0.0.1:${relay.server.address().port}`;
    return relay;
  }

  accept(inner) {
    const outer = connect(this.target, "127.0.0.1");
    for (const [from, to] of [[inner, outer], [outer, inner]]) {
      this.sockets.add(from);
      from.on("error", () => {});
      from.on("close", () => { this.sockets.delete(from); to.destroy(); });
      from.on("data", (bytes) => {
        if (this.isSilent) return;
        if (from === inner) {
          if (bytes.includes("POST ")) this.requests += 1;
          if (bytes.includes("HEAD ")) this.onProbe();
        } else if (this.lostReplies > 0) {
          this.lostReplies -= 1;
          inner.destroy();
          return;
        }
        to.write(bytes);
      });
    }
  }

  /** Closes all connections. */
  cut() {
    for (const socket of this.sockets) socket.destroy();
  }

  async end() {
    this.server.close();
    this.cut();
    await once(this.server, "close");
  }
}
