// A reporter for the tests of Node: adds the seconds of each test, a line each, to the file QUIVER_PARTS.
import { appendFileSync } from "node:fs";

const path = process.env.QUIVER_PARTS;

// eslint-disable-next-line require-yield
export default async function* parts(source) {
  for await (const { type, data } of source) {
    const isTest = ["test:pass", "test:fail"].includes(type) && data.details?.type !== "suite";
    if (path && isTest) appendFileSync(path, `${(data.details.duration_ms / 1000).toFixed(1)} ${data.name}\n`);
  }
}
