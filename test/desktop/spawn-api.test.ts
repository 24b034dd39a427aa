import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { utilityApi } from "../../main/desktop/spawn-api.ts";

class FakeUtility extends EventEmitter {
  stdout = new PassThrough();
  stderr = new PassThrough();
  pid = undefined;
  kills = 0;
  kill(): boolean {
    this.kills++;
    return true;
  }
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("Electron's utility process speaks by lines, ends when asked, and says how (ux 4)", async () => {
  const utility = new FakeUtility();
  const calls: unknown[] = [];
  const spawn = utilityApi((...call) => {
    calls.push(call);
    return utility;
  }, "/app/cli.js");
  const child = spawn(["replica", "--data", "/data"], "key of the folder");
  const heard: string[] = [];
  child.onLine((line) => heard.push(`out ${line}`));
  child.onLog((line) => heard.push(`log ${line}`));
  child.onExit((reason) => heard.push(reason));

  utility.stdout.write('{"event":');
  utility.stdout.write('"ready"}\nsecond\n');
  utility.stderr.write("a warning\n");
  await nextTurn();
  child.stop();
  child.kill();
  utility.emit("exit", 0);

  const env = { ...process.env, CARREL_TOKEN_KEY: "key of the folder" };
  expect(calls).toEqual([
    [
      "/app/cli.js",
      ["replica", "--data", "/data"],
      { stdio: ["ignore", "pipe", "pipe"], serviceName: "Carrel API", env },
    ],
  ]);
  expect(heard.sort()).toEqual(["ended with 0", "log a warning", "out second", 'out {"event":"ready"}']);
  expect(utility.kills).toBe(1);
});
