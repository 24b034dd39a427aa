import { isRecordId } from "../../shared/kernel/record-id.ts";
import { isUuid } from "../../shared/kernel/uuid.ts";

/** URL scheme that the operating system passes to the app. */
export const scheme = "carrel";

const longestLink = 4096;

/** The decoded parts of a path; undefined if one is badly encoded or would leave its folder. */
function pathParts(path: string): string[] | undefined {
  try {
    const parts = path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
    return parts.some((part) => part === "." || part === ".." || part.includes("\0")) ? undefined : parts;
  } catch {
    // decodeURIComponent throws URIError for invalid encodings.
    return undefined;
  }
}

/** Parses `files/<key>` or `files/<key>!<entry>`. The key may contain slashes; the entry is a path in the archive. */
function fileQuery(parts: string[]): string | undefined {
  if (parts.length === 0) return "";
  if (parts[0] !== "files" || parts.length < 2) return undefined;
  const [key = "", ...entry] = parts.slice(1).join("/").split("!");
  if (key === "") return undefined;
  const query = new URLSearchParams({ file: key });
  if (entry.length > 0) query.set("entry", entry.join("!").replace(/^\//, ""));
  return `?${query}`;
}

/** An id as Carrel and an InvenioRDM make them, or one of Zenodo's numbers. */
const isIdOfAnyServer = (id: string): boolean => isRecordId(id) || /^[1-9]\d{0,15}$/.test(id);

function recordPath(page: string, [id = "", ...rest]: string[]): string | undefined {
  const query = fileQuery(rest);
  return isIdOfAnyServer(id) && query !== undefined ? `/${page}/${id}${query}` : undefined;
}

function requestPath([id = "", ...rest]: string[], hash: string): string | undefined {
  if (!isUuid(id) || rest.length > 0) return undefined;
  const comment = hash.replace(/^#(commentevent-)?/, "");
  if (hash === "") return `/me/requests/${id}`;
  return isUuid(comment) ? `/me/requests/${id}#commentevent-${comment}` : undefined;
}

/**
 * The page of the app for a deep link; undefined for any other text. Links: `carrel://record/<id>`,
 * `carrel://draft/<id>`, either with `/files/<key>` or `/files/<key>!<entry>`, and `carrel://request/<id>` with or
 * without `#<comment id>`. Nothing is fetched.
 */
export function appPathOf(link: string): string | undefined {
  if (link.length > longestLink || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  if (url.protocol !== `${scheme}:` || url.username !== "" || url.port !== "" || url.search !== "") return undefined;
  const parts = pathParts(url.pathname);
  if (!parts) return undefined;
  if (url.hostname === "request") return requestPath(parts, url.hash);
  if (url.hash !== "") return undefined;
  if (url.hostname === "record") return recordPath("records", parts);
  return url.hostname === "draft" ? recordPath("uploads", parts) : undefined;
}

/** The first deep link among the program's arguments. */
export const linkArgument = (argv: readonly string[]): string | undefined =>
  argv.find((argument) => argument.toLowerCase().startsWith(`${scheme}://`));
