import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { appPathOf, linkArgument } from "../../main/desktop/deep-link.ts";
import { dataFolderArgument, defaultDataFolder } from "../../main/desktop/default-folders.ts";
import { addressPatterns, headersOf } from "../../main/desktop/header-rule.ts";
import { destinationOf } from "../../main/desktop/navigation.ts";
import { isPermissionGranted } from "../../main/desktop/permissions.ts";
import { windowOptions } from "../../main/desktop/window-options.ts";
import { recordIdFrom } from "../../shared/kernel/record-id.ts";

const origin = "http://127.0.0.1:4711";

describe("windows", () => {
  test("the page is isolated, sandboxed and without Node", () => {
    const { webPreferences } = windowOptions({ preload: "/app/preload.cjs", isDark: false, isMac: false });
    expect(webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
    });
  });

  test("the system keeps size and place of the window, under its name", () => {
    const options = windowOptions({ preload: "/app/preload.cjs", isDark: true, isMac: false });
    expect(options).toMatchObject({ name: "main", windowStatePersistence: true });
  });

  test.each([true, false])("on a Mac (%s) spelling is checked; elsewhere dictionaries would be fetched", (isMac) => {
    const options = windowOptions({ preload: "/app/preload.cjs", isDark: true, isMac });
    expect(options.webPreferences?.spellcheck).toBe(isMac);
  });
});

describe("navigation", () => {
  test.each([
    [`${origin}/records/x`, { kind: "stay" }],
    ["https://doi.org/10.5281/x", { kind: "outside", url: "https://doi.org/10.5281/x" }],
    ["mailto:ada@example.org", { kind: "outside", url: "mailto:ada@example.org" }],
    ["http://example.org/", { kind: "refused" }],
    ["http://127.0.0.1:4712/", { kind: "refused" }],
    ["http://localhost:4711/", { kind: "refused" }],
    ["file:///etc/passwd", { kind: "refused" }],
    ["javascript:alert(1)", { kind: "refused" }],
    ["smb://server/share", { kind: "refused" }],
    ["ms-msdt:/id", { kind: "refused" }],
    ["data:text/html,x", { kind: "refused" }],
    ["blob:https://example.org/1", { kind: "refused" }],
    ["https://ada:secret@example.org/", { kind: "refused" }],
    ["not an address", { kind: "refused" }],
  ])("%s", (address, expected) => {
    expect(destinationOf(address, origin)).toEqual(expected);
  });

  test("only https and mailto ever leave, whatever the address", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ validSchemes: ["http", "https", "ftp", "file"] }), fc.string()), (address) => {
        const destination = destinationOf(address, origin);
        return destination.kind !== "outside" || /^(https|mailto):/.test(destination.url);
      }),
    );
  });
});

describe("permissions", () => {
  test("our own pages may write to the clipboard and notify; nothing else, and nobody else", () => {
    expect(isPermissionGranted("clipboard-sanitized-write", origin, origin)).toBe(true);
    expect(isPermissionGranted("notifications", `${origin}/`, origin)).toBe(true);
    for (const permission of ["media", "geolocation", "clipboard-read", "usb", "openExternal", "fileSystem"]) {
      expect(isPermissionGranted(permission, origin, origin), permission).toBe(false);
    }
    expect(isPermissionGranted("notifications", "https://example.org", origin)).toBe(false);
    expect(isPermissionGranted("notifications", "null", origin)).toBe(false);
    expect(isPermissionGranted("notifications", origin, undefined)).toBe(false);
  });
});

describe("the credential (hosts-and-sync 2)", () => {
  const api = { url: origin, token: "secret" };
  const sent = (url: string, initiatorOrigin?: string) =>
    headersOf({ url, initiatorOrigin, requestHeaders: { Accept: "*/*", authorization: "Bearer forged" } }, api);

  test("goes to the local API alone, for pages and sockets", () => {
    const authorized = { Accept: "*/*", Authorization: "Bearer secret" };
    expect(sent(`${origin}/api/records`, origin)).toEqual(authorized);
    expect(sent(`${origin}/`)).toEqual(authorized);
    expect(sent("ws://127.0.0.1:4711/api/sync/documents/draft:x", origin)).toEqual(authorized);
  });

  test.each([
    "http://127.0.0.1:47110/api",
    "http://localhost:4711/api",
    "https://127.0.0.1:4711/api",
    "http://127.0.0.1:4711.example.org/",
    "http://127.0.0.1:4711@example.org/",
    "https://example.org/?x=http://127.0.0.1:4711/",
    "nonsense",
  ])("%s does not get it", (url) => {
    expect(sent(url, origin)).not.toHaveProperty("Authorization");
  });

  test("a foreign page that asks our API does not get it", () => {
    expect(sent(`${origin}/api/records`, "https://example.org")).not.toHaveProperty("Authorization");
    expect(sent(`${origin}/api/records`, "null")).not.toHaveProperty("Authorization");
  });

  test("the system is asked about this port only", () => {
    expect(addressPatterns(api)).toEqual(["http://127.0.0.1:4711/*", "ws://127.0.0.1:4711/*"]);
  });
});

describe("links from outside", () => {
  const id = recordIdFrom(new Uint8Array([1, 2, 3, 4, 5]));
  const uuid = "0199a1b2-0000-7000-8000-000000000001";

  test.each([
    [`carrel://record/${id}`, `/records/${id}`],
    [`carrel://draft/${id}/`, `/uploads/${id}`],
    [`CARREL://record/${id}`, `/records/${id}`],
    [`carrel://record/${id}/files/data/raw.zip`, `/records/${id}?file=data%2Fraw.zip`],
    [`carrel://record/${id}/files/raw%20one.zip!a/b.txt`, `/records/${id}?file=raw+one.zip&entry=a%2Fb.txt`],
    ["carrel://record/17185283", "/records/17185283"],
    ["carrel://draft/17185283/files/raw.zip!a.txt", "/uploads/17185283?file=raw.zip&entry=a.txt"],
    [`carrel://request/${uuid}`, `/me/requests/${uuid}`],
    [`carrel://request/${uuid}#${uuid}`, `/me/requests/${uuid}#commentevent-${uuid}`],
    [`carrel://request/${uuid}#commentevent-${uuid}`, `/me/requests/${uuid}#commentevent-${uuid}`],
  ])("%s opens %s", (link, path) => {
    expect(appPathOf(link)).toBe(path);
  });

  test.each([
    "https://example.org/",
    "carrel://record/not-an-id",
    `carrel://record/${id.slice(0, -1)}0`,
    "carrel://record/007",
    `carrel://record/${id}/files`,
    `carrel://record/${id}/files/../../x`,
    `carrel://record/${id}/files/%2e%2e/x`,
    `carrel://record/${id}/files/%ZZ`,
    `carrel://record/${id}/files/a%00b`,
    `carrel://record/${id}#x`,
    `carrel://record/${id}?x=1`,
    `carrel://user@record/${id}`,
    `carrel://settings/`,
    `carrel://request/${uuid}/more`,
    `carrel://request/${uuid}#"><script>`,
    `carrel://connect?server=https://example.org`,
    `carrel://record/${"x".repeat(5000)}`,
  ])("%s is not one of ours", (link) => {
    expect(appPathOf(link)).toBeUndefined();
  });

  test("whatever comes, the answer is a page of the app", () => {
    const pieces = fc.constantFrom("record", "draft", "request", id, uuid, "files", "..", "%2F", "//", "!", "#", "?");
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 6 }), (parts) => {
        const path = appPathOf(`carrel://${parts.join("/")}`);
        if (path === undefined) return true;
        const url = new URL(path, origin);
        return url.origin === origin && /^\/(records|uploads|me\/requests)\/[0-9a-z-]+$/.test(url.pathname);
      }),
    );
  });

  test("is found among the arguments of a second start", () => {
    expect(linkArgument(["/opt/carrel", "--flag", `carrel://record/${id}`])).toBe(`carrel://record/${id}`);
    expect(linkArgument(["/opt/carrel", "https://example.org"])).toBeUndefined();
  });
});

describe("the person's folder", () => {
  test("is the system's place, unless the arguments name one", () => {
    expect(defaultDataFolder("linux", {}, "/home/ada")).toBe("/home/ada/.local/share/carrel");
    expect(defaultDataFolder("linux", { XDG_DATA_HOME: "/data" }, "/home/ada")).toBe("/data/carrel");
    expect(defaultDataFolder("darwin", {}, "/Users/ada")).toBe("/Users/ada/Library/Application Support/Carrel/library");
    expect(dataFolderArgument(["carrel", "--data", "/tmp/x"])).toBe("/tmp/x");
    expect(dataFolderArgument(["carrel", "--data=/tmp/y"])).toBe("/tmp/y");
    expect(dataFolderArgument(["carrel"])).toBeUndefined();
  });
});
