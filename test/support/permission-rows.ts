type Needed = "anybody" | "signed-in" | "view" | "preview" | "manage";
type Row = readonly [route: string, needed: Needed | readonly string[], path: string, body?: unknown, options?: object];

const grants = (...levels: string[]) => levels.flatMap((level) => [`grant ${level}`, `group ${level}`]);
const everyLevel = grants("view", "preview", "edit", "manage");
/** Users who may preview a request's topic (requests 3.1). Links open records, not conversations. */
const previewers = ["moderator", ...grants("preview", "edit", "manage")];
const readers = ["owner", "reviewer", "admin", ...previewers];
const administrators = ["admin", "moderator"];
const account = ["other", "owner", "reviewer", "admin", "moderator", ...everyLevel];
const octets = { headers: { "content-type": "application/octet-stream" } };
const stale = { headers: { "if-match": "999999" } };

/** Conversations of the submitted review `Q` with the owner's comment `C` (requests 3.1, 7 to 10). */
const conversation: Row[] = [
  ["GET /requests", "signed-in", "/api/requests"],
  ["GET /user/requests", "signed-in", "/api/user/requests"],
  ["GET /requests/:id", readers, "/api/requests/Q"],
  ["PUT /requests/:id", ["owner", "reviewer", "admin"], "/api/requests/Q", { colour: 1 }],
  ["DELETE /requests/:id", ["admin"], "/api/requests/Q", undefined, stale],
  ["POST /requests/:id/actions/:action", ["owner", "admin"], "/api/requests/Q/actions/submit"],
  ["POST /requests/:id/actions/:action", ["owner", "admin"], "/api/requests/Q/actions/cancel", { payload: {} }],
  ["POST /requests/:id/actions/:action", ["reviewer", "admin"], "/api/requests/Q/actions/accept", { payload: {} }],
  ["POST /requests/:id/actions/:action", ["reviewer", "admin"], "/api/requests/Q/actions/decline", { payload: {} }],
  ["POST /requests/:id/actions/:action", [], "/api/requests/Q/actions/expire"],
  [
    "POST /requests/:id/actions/:action",
    ["reviewer", "admin"],
    "/api/requests/Q/actions/request-changes",
    { payload: {} },
  ],
  ["POST /requests/:id/actions/:action", ["owner", "admin"], "/api/requests/Q/actions/request-review"],
  ["GET /requests/:id/reviewers", readers, "/api/requests/Q/reviewers"],
  ["POST /requests/:id/reviewers", ["owner", "admin"], "/api/requests/Q/reviewers", {}],
  ["DELETE /requests/:id/reviewers/:who", ["owner", "admin"], "/api/requests/Q/reviewers/nobody"],
  ["POST /requests/:id/lock", ["reviewer", "admin"], "/api/requests/Q/lock"],
  // The second caller finds the conversation unlocked, so its refusal has another message.
  ["POST /requests/:id/unlock", ["reviewer", "admin"], "/api/requests/Q/unlock"],
  ["GET /requests/:id/timeline", readers, "/api/requests/Q/timeline"],
  ["GET /requests/:id/timeline_focused", readers, "/api/requests/Q/timeline_focused"],
  ["POST /requests/:id/comments", readers, "/api/requests/Q/comments", {}],
  ["GET /requests/:id/comments/:cid", readers, "/api/requests/Q/comments/C"],
  ["PUT /requests/:id/comments/:cid", ["owner", "admin"], "/api/requests/Q/comments/C", {}],
  [
    "DELETE /requests/:id/comments/:cid",
    ["owner", "reviewer", "admin"],
    "/api/requests/Q/comments/C",
    undefined,
    stale,
  ],
  ["POST /requests/:id/comments/:cid/resolve", ["owner", "admin"], "/api/requests/Q/comments/C/resolve"],
  ["POST /requests/:id/comments/:cid/reopen", ["owner", "admin"], "/api/requests/Q/comments/C/reopen"],
  ["POST /requests/:id/comments/:cid/reply", readers, "/api/requests/Q/comments/C/reply", {}],
  ["GET /requests/:id/comments/:cid/replies", readers, "/api/requests/Q/comments/C/replies"],
  ["GET /requests/:id/comments/:cid/replies_focused", readers, "/api/requests/Q/comments/C/replies_focused"],
  ["PUT /requests/:id/files/upload/:filename", readers, "/api/requests/Q/files/upload/a.txt", "text", octets],
  ["GET /requests/:id/files/:key/content", readers, "/api/requests/Q/files/nothing/content"],
  ["DELETE /requests/:id/files/:key", readers, "/api/requests/Q/files/nothing"],
  ["GET /sync/notifications", "signed-in", "/api/sync/notifications"],
  ["POST /sync/notifications/read", "signed-in", "/api/sync/notifications/read", { ids: [] }],
];

/** Users and groups (requests 11, 12); `level-view` is a managed group. */
const people: Row[] = [
  ["GET /host", "anybody", "/api/host"],
  ["GET /users", "signed-in", "/api/users"],
  ["GET /user/storage", "signed-in", "/api/user/storage"],
  ["GET /lookup", "signed-in", "/api/lookup"],
  ["GET /lookup/:kind", "signed-in", "/api/lookup/doi?id=10.5072/nothing"],
  ["GET /users/:id", "anybody", "/api/users/1"],
  ["GET /users/:id/avatar.svg", "anybody", "/api/users/1/avatar.svg"],
  ["GET /users/:id/groups", ["owner", ...administrators], "/api/users/1/groups"],
  ["POST /users/:id/groups", administrators, "/api/users/1/groups", { groups: 1 }],
  ["PUT /users/:id/groups", administrators, "/api/users/1/groups", { groups: 1 }],
  ["DELETE /users/:id/groups", administrators, "/api/users/1/groups", { groups: 1 }],
  ["GET /groups", "signed-in", "/api/groups"],
  ["POST /groups", administrators, "/api/groups", {}],
  ["GET /groups/:id", administrators, "/api/groups/level-view"],
  ["PUT /groups/:id", administrators, "/api/groups/level-view", { description: 1 }],
  ["DELETE /groups/:id", [], "/api/groups/superuser-access"],
  ["GET /collections", "anybody", "/api/collections"],
  ["POST /collections", ["admin"], "/api/collections", {}],
  ["GET /collections/:slug", "anybody", "/api/collections/kept"],
  ["PUT /collections/:slug", ["admin", "group view"], "/api/collections/kept", {}],
  ["DELETE /collections/:slug", ["admin"], "/api/collections/kept", undefined, stale],
  ["GET /invitations", ["admin"], "/api/invitations"],
  ["POST /invitations", ["admin"], "/api/invitations", {}],
  ["DELETE /invitations/:id", ["admin"], "/api/invitations/nothing"],
  ["POST /invitations/:id/actions/resend", ["admin"], "/api/invitations/nothing/actions/resend"],
  ["GET /administration/people", ["admin"], "/api/administration/people"],
  ["GET /administration/people/:id", ["admin"], "/api/administration/people/nobody"],
  ...["deactivate", "activate", "reset-password", "reset-second-factor"].map(
    (action): Row => [
      `POST /administration/people/:id/actions/${action}`,
      ["admin"],
      `/api/administration/people/nobody/actions/${action}`,
    ],
  ),
  ["PUT /administration/people/:id/quota", ["admin"], "/api/administration/people/nobody/quota", {}],
  ["GET /administration/overview", ["admin"], "/api/administration/overview"],
  ...["mail", "dois"].flatMap((queue): Row[] => [
    [`GET /administration/${queue}`, ["admin"], `/api/administration/${queue}`],
    [`POST /administration/${queue}/actions/retry`, ["admin"], `/api/administration/${queue}/actions/retry`],
    [`POST /administration/${queue}/:id/actions/retry`, ["admin"], `/api/administration/${queue}/none/actions/retry`],
  ]),
  ["DELETE /administration/mail/:id", ["admin"], "/api/administration/mail/none"],
  ["GET /administration/backups", ["admin"], "/api/administration/backups"],
  ["POST /administration/backups", ["admin"], "/api/administration/backups"],
  ["PUT /administration/backups/schedule", ["admin"], "/api/administration/backups/schedule", {}],
  ["GET /administration/removed-records", ["admin"], "/api/administration/removed-records"],
  ["GET /audit-logs", ["admin"], "/api/audit-logs"],
  ["GET /audit-logs/:id", ["admin"], "/api/audit-logs/nothing"],
  ["GET /groups/:id/avatar.svg", administrators, "/api/groups/level-view/avatar.svg"],
];

/** The caller's own account (requests 2.3); anonymous callers get 401. */
const self: Row[] = [
  ["GET /me", account, "/api/me"],
  ["PUT /me", account, "/api/me", { visibility: 1 }],
  ["PUT /me/picture", account, "/api/me/picture", "no picture", octets],
  ["DELETE /me/picture", account, "/api/me/picture"],
  ["POST /change-password", account, "/api/change-password", {}],
  ["GET /user/sessions", account, "/api/user/sessions"],
  ["DELETE /user/sessions/:id", account, "/api/user/sessions/nothing"],
  ["GET /user/second-factor", account, "/api/user/second-factor"],
  ["POST /user/second-factor", account, "/api/user/second-factor", { password: 1 }],
  ["POST /user/second-factor/actions/confirm", account, "/api/user/second-factor/actions/confirm", {}],
  [
    "POST /user/second-factor/actions/renew-codes",
    account,
    "/api/user/second-factor/actions/renew-codes",
    { password: 1 },
  ],
  ["POST /user/second-factor/actions/remove", account, "/api/user/second-factor/actions/remove", { password: 1 }],
  ["GET /user/identities", account, "/api/user/identities"],
  ["DELETE /user/identities/:id", account, "/api/user/identities/nothing"],
  ["GET /tokens", account, "/api/tokens"],
  ["POST /tokens", account, "/api/tokens", {}],
  ["GET /tokens/:id", account, "/api/tokens/nothing"],
  ["DELETE /tokens/:id", account, "/api/tokens/nothing"],
];

const open: Row[] = [
  ["POST /login", "anybody", "/api/login", {}],
  ["POST /logout", "anybody", "/api/logout"],
  ["GET /vocabularies/:type", "anybody", "/api/vocabularies/languages"],
  ["GET /vocabularies/:type/:id", "anybody", "/api/vocabularies/languages/eng"],
  ...["affiliations", "names", "subjects", "funders", "awards"].flatMap((type): Row[] => [
    [`GET /${type}`, "anybody", `/api/${type}`],
    [`GET /${type}/:id`, "anybody", `/api/${type}/nothing`],
  ]),
  ["GET /custom-fields", "anybody", "/api/custom-fields"],
  ["POST /stats", "anybody", "/api/stats", { views: { stat: "record-view", params: { recid: "nothing" } } }],
  ["GET /openapi.json", "anybody", "/api/openapi.json"],
  ["GET /docs", "anybody", "/api/docs", undefined, { headers: { accept: "text/html" } }],
];

const images: Row[] = [
  ["GET /iiif/:subject/manifest", "view", "/api/iiif/record:R/manifest"],
  ["GET /iiif/:subject/manifest", "preview", "/api/iiif/draft:D/manifest"],
  ["GET /iiif/:subject/manifest", "preview", "/api/iiif/draft:R/manifest"],
  ["GET /iiif/:subject/sequence/default", "preview", "/api/iiif/draft:D/sequence/default"],
  ["GET /iiif/:subject/canvas/*key", "view", "/api/iiif/record:R/canvas/a.png"],
  ["GET /iiif/:image", "view", "/api/iiif/record:R:a.png"],
  ["GET /iiif/:image/info.json", "view", "/api/iiif/record:R:a.png/info.json"],
  ["GET /iiif/:image/info.json", "preview", "/api/iiif/draft:D:a.png/info.json"],
  ["GET /iiif/:image/:region/:size/:rotation/:file", "view", "/api/iiif/record:R:a.png/full/max/0/default.jpg"],
  ["GET /iiif/:image/:region/:size/:rotation/:file", "preview", "/api/iiif/draft:D:a.png/full/max/0/default.jpg"],
];

/** Rows for routes that are not about records, as in the permission matrix. */
export const otherRows: readonly Row[] = [...conversation, ...people, ...self, ...open, ...images];
