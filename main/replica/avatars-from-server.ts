import { setTimeout } from "node:timers/promises";
import type { Request } from "express";
import { type RouteStep, routeOf } from "../../shared/kernel/route-facts.ts";
import { pictureIn } from "../../shared/users/picture-frame.ts";
import { pictureDigest } from "../../shared/users/user.presenter.ts";
import type { UserService } from "../../shared/users/user.service.ts";
import type { UserPictureService } from "../../shared/users/user-picture.service.ts";
import { readAnswer } from "../sync/transport.ts";
import type { Forwarding } from "./forward.ts";

export interface AvatarsFromServerOptions extends Forwarding {
  users: Pick<UserService, "find">;
  pictures: Pick<UserPictureService, "find" | "store">;
}

/** How long a call waits for the picture before it gets the avatar with a letter. */
const maxWaitMs = 5000;

/** Fetches the picture of a user when it is first shown, and stores it here for the time offline. */
export function avatarsFromServer({ db, engine, users, pictures }: AvatarsFromServerOptions): RouteStep {
  async function fetchPicture(req: Request, id: string): Promise<void> {
    const user = await users.find(db, id);
    if (!user || pictureDigest(user) === undefined || (await pictures.find(db, user)) !== undefined) return;
    const { upstream } = engine.connection;
    if (!upstream) return;
    const bytes = pictureIn((await readAnswer(await upstream.pass(req, "GET"))).toString());
    if (bytes) await pictures.store(user, bytes);
  }

  return async (req, res) => {
    const { facts, about, id } = routeOf(req);
    if (!facts.isAvatar || about !== "user" || !engine.isOnline()) return false;
    const timer = new AbortController();
    // An error is ignored: the avatar then shows a letter.
    const fetched = fetchPicture(req, id).catch(() => undefined);
    await Promise.race([fetched, setTimeout(maxWaitMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    return res.closed;
  };
}
