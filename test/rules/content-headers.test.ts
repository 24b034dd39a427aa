import { describe, expect, test } from "vitest";
import { contentDisposition, contentHeaders, guessType, memberType } from "../../shared/files/content-headers.ts";

const headersOf = (key: string, isDownload = false) =>
  contentHeaders(
    { key, mimetype: guessType(key), sizeBytes: 3, md5: "a".repeat(32), updated: 1_700_000_000_000_000 },
    isDownload,
  );

describe("download headers (records 6.7)", () => {
  test.each([
    ["a.png", "image/png"],
    ["a.jpg", "image/jpeg"],
    ["a.gif", "image/gif"],
    ["a.tif", "image/tiff"],
    ["a.mp3", "audio/mpeg"],
    ["a.wav", "audio/wav"],
    ["a.mp4", "video/mp4"],
    ["a.webm", "video/webm"],
    ["a.pdf", "application/pdf"],
  ])("%s is shown inline as %s", (key, type) => {
    expect(headersOf(key)).toMatchObject({ "Content-Type": type });
    expect(headersOf(key)["Content-Disposition"]).toMatch(/^inline; filename="/);
  });

  test.each(["a.txt", "a.html", "a.svg", "a.xhtml", "a.xml", "a.js", "a.json", "a.css", "a.csv"])(
    "%s is shown inline as plain text",
    (key) => {
      expect(headersOf(key)["Content-Type"]).toBe("text/plain; charset=utf-8");
      expect(headersOf(key)["Content-Disposition"]).toMatch(/^inline;/);
    },
  );

  test.each(["a.zip", "a", "a.docx", "a.unknown"])("%s is an attachment without a type", (key) => {
    expect(headersOf(key)["Content-Type"]).toBe("application/octet-stream");
    expect(headersOf(key)["Content-Disposition"]).toMatch(/^attachment;/);
  });

  test("a name that reads as another one is sent with _ for what reorders or hides it (security 10)", () => {
    const plain = 'attachment; filename="invoice_gpj.exe"';
    expect(contentDisposition("attachment", "invoice\u202egpj.exe")).toBe(plain);
    expect(contentDisposition("attachment", "d\u2066/\u00e9\u202a\r\nx: y")).toBe(
      `attachment; filename="e___x: y"; filename*=UTF-8''%C3%A9___x%3A%20y`,
    );
  });

  test("?download=1 forces an attachment", () => {
    expect(headersOf("a.png", true)["Content-Disposition"]).toBe('attachment; filename="a.png"');
  });

  test("digest, tag, dates and the safety headers stand on every download", () => {
    expect(headersOf("a.html")).toMatchObject({
      "Content-Length": "3",
      "Content-MD5": "a".repeat(32),
      ETag: `"md5:${"a".repeat(32)}"`,
      "Last-Modified": "Tue, 14 Nov 2023 22:13:20 GMT",
      "Accept-Ranges": "bytes",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "SAMEORIGIN",
    });
    expect(headersOf("a.html")["Content-Security-Policy"]).toContain("default-src 'none'");
  });

  test("the entry keeps the true guess", () => {
    expect(guessType("a.html")).toBe("text/html");
  });

  test.each(["readme", "dir.zip/readme", "zip", "dir/html", ".json", "p", "name."])(
    "%s has no extension (records 6.4)",
    (name) => {
      expect(guessType(name)).toBe("application/octet-stream");
    },
  );

  test("names beyond ASCII come as filename* beside plain letters (interoperability 9), quotes and line breaks stay harmless", () => {
    expect(contentDisposition("inline", "dir/é.txt")).toBe(`inline; filename="e.txt"; filename*=UTF-8''%C3%A9.txt`);
    expect(contentDisposition("inline", "日本.txt")).toBe(
      `inline; filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`,
    );
    expect(contentDisposition("attachment", 'a"b\\.txt')).toBe(
      `attachment; filename="a_b_.txt"; filename*=UTF-8''a%22b%5C.txt`,
    );
    expect(contentDisposition("attachment", "a\r\nX: y")).toMatch(/^attachment; filename="a__X: y"/);
  });

  test("curl -OJ and wget save names with quotes and percent signs (interoperability 9, issue 18)", () => {
    const escaped = `inline; filename="50_20x.txt"; filename*=UTF-8''50%2520x.txt`;
    expect(contentDisposition("inline", "50%20x.txt")).toBe(escaped);
    expect(contentDisposition("inline", "50% of it.txt")).toBe('inline; filename="50% of it.txt"');
    expect(contentDisposition("inline", "a;b#c+d?.txt")).toBe('inline; filename="a;b#c+d?.txt"');
  });

  test("an archive member keeps its type unless it is active (records 11)", () => {
    expect(memberType("a/b.html")).toBe("text/plain; charset=utf-8");
    expect(memberType("a/b.docx")).toContain("wordprocessing");
    expect(memberType("a/b")).toBe("application/octet-stream");
  });
});
