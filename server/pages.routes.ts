import { Router } from "express";

const style =
  "body{font:16px/1.6 system-ui,sans-serif;max-width:34rem;margin:12vh auto;padding:0 1.5rem;color:#182029;background:#f8fafc}" +
  "a{color:#00648b}code{font-size:.9em}@media(prefers-color-scheme:dark){body{color:#e8ebef;background:#0f1318}a{color:#63bfe1}}";

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Ids come from the address: only what an id can hold gets into the page. */
const isPlain = (id: string): boolean => /^[0-9a-z-]{1,64}$/i.test(id);

const page = (link: string, api: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Carrel</title><style>${style}</style></head>
<body>
<h1>Open this in Carrel</h1>
<p>This repository is read and worked on with the Carrel app, with or without a network.</p>
<p><a href="${link}">Open in the app</a></p>
<p>Programs read the same at <a href="${api}"><code>${api}</code></a>.</p>
</body>
</html>
`;

/**
 * The pages that `self_html` links name (records 9, requests 3). The server has no app of its own: each offers the
 * app, and says the same for every id, so that it tells nothing about what exists.
 */
export function pageRoutes(): Router {
  const router = Router();
  const offer = (path: string, linkOf: (id: string) => string, apiOf: (id: string) => string) =>
    router.get(path, (req, res, next) => {
      const id = String(req.params.id);
      if (!isPlain(id)) return next();
      res.setHeader("Content-Security-Policy", policy);
      res.setHeader("Referrer-Policy", "no-referrer");
      res.type("html").send(page(linkOf(id), apiOf(id)));
    });
  const record = (id: string) => `carrel://record/${id}`;
  offer("/records/:id", record, (id) => `/api/records/${id}`);
  offer("/records/:id/latest", record, (id) => `/api/records/${id}/versions/latest`);
  offer(
    "/uploads/:id",
    (id) => `carrel://draft/${id}`,
    (id) => `/api/records/${id}/draft`,
  );
  offer(
    "/me/requests/:id",
    (id) => `carrel://request/${id}`,
    (id) => `/api/requests/${id}`,
  );
  return router;
}
