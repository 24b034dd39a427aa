import type { Request, Response, Router } from "express";
import { answer } from "../kernel/answer.ts";
import { etagOf } from "../kernel/conditional-requests.ts";
import { forbidden } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { callerOf, pathPart, resource, routesAbout } from "../kernel/resource.ts";
import { searchAnswer } from "../search/search-answer.presenter.ts";
import { readSearch } from "../search/search-parameters.ts";
import { drawAvatar } from "./avatar.presenter.ts";
import { answerAvatar } from "./avatar-answer.ts";
import type { MembershipService } from "./membership.service.ts";
import { framePicture } from "./picture-frame.ts";
import { isSelf } from "./user.policy.ts";
import type { ChangeGroups } from "./user.schema.ts";
import type { UserService } from "./user.service.ts";
import type { UserPictureService } from "./user-picture.service.ts";
import { searchUsers, userSearchRules } from "./user-search.ts";

export interface UserRouteParts {
  host: Host;
  users: UserService;
  memberships: MembershipService;
  userPictures: Pick<UserPictureService, "find">;
}

/** `/api/users` (requests 12); it never changes a user. */
export function userRoutes({ host, users, memberships, userPictures }: UserRouteParts): Router {
  const router = routesAbout("user");

  async function list(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    if (caller.userId === null) throw forbidden();
    const request = readSearch(req.query, userSearchRules);
    const found = await searchUsers(await users.list(host.db), caller, request, host.now());
    const hits = await users.present(host.db, caller, found.hits);
    const url = `${host.baseUrl}/api/users`;
    const body = searchAnswer({ request, rules: userSearchRules, url, hits, total: found.total });
    await answer(req, res, 200, body);
  }

  async function one(req: Request, res: Response): Promise<void> {
    const caller = callerOf(req);
    const user = await users.requireReadable(host.db, caller, pathPart(req, "id"));
    const [body] = await users.present(host.db, caller, [user]);
    await answer(req, res, 200, body, isSelf(caller, user.id) ? { etag: etagOf(user.revision_id) } : {});
  }

  async function avatar(req: Request, res: Response): Promise<void> {
    const user = await users.requireReadable(host.db, callerOf(req), pathPart(req, "id"));
    const picture = await userPictures.find(host.db, user);
    const drawn = picture ? framePicture(picture) : drawAvatar(user.id, user.full_name || user.username);
    await answerAvatar(req, res, drawn);
  }

  const change =
    (how: ChangeGroups["how"]) =>
    async (req: Request, res: Response): Promise<void> => {
      const input = { userId: pathPart(req, "id"), how, body: req.body as unknown };
      await answer(req, res, 200, await memberships.change(callerOf(req), input));
    };

  resource(router, "/users", { about: "library", isSearch: true, GET: list });
  resource(router, "/users/:id", { GET: one });
  resource(router, "/users/:id/avatar.svg", { isAvatar: true, GET: { handle: avatar, produces: [] } });
  resource(router, "/users/:id/groups", {
    server: ["GET", "POST", "PUT", "DELETE"],
    GET: async (req, res) => answer(req, res, 200, await memberships.list(host.db, callerOf(req), pathPart(req, "id"))),
    POST: change("add"),
    PUT: change("replace"),
    DELETE: change("remove"),
  });
  return router;
}
