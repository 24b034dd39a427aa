import type { Router } from "express";
import { libraryOf } from "../shared/database/library.ts";
import type { Db } from "../shared/database/open.ts";
import { answer } from "../shared/kernel/answer.ts";
import { Failure } from "../shared/kernel/failure.ts";
import { resource, routesAbout } from "../shared/kernel/resource.ts";
import { version } from "../shared/version.ts";
import type { OpenBlobs } from "./open-blobs.ts";

export interface ReadinessOptions {
  db: Db;
  bytes: Pick<OpenBlobs, "answers">;
}

/** Whether a load balancer may send calls to this process (scale 9). */
export interface Readiness {
  /** `GET /readyz`, without credentials. */
  routes: Router;
  /** What is missing; undefined when the process is ready. */
  missing(): Promise<string | undefined>;
  /** The process is about to stop. */
  leave(): void;
}

/** An engine that does not answer is as bad as one that refuses. */
const patienceMs = 2000;

async function answersInTime(check: () => Promise<boolean>): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, patienceMs, false);
  check().then(resolve, () => resolve(false));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** A process answers calls only after its migrations, so that they need no look here. */
export function readiness({ db, bytes }: ReadinessOptions): Readiness {
  let isLeaving = false;

  async function missing(): Promise<string | undefined> {
    if (isLeaving) return "The server is stopping.";
    if (!(await answersInTime(async () => (await libraryOf(db)) !== undefined))) return "The database does not answer.";
    if (!(await answersInTime(bytes.answers))) return "The file storage does not answer or cannot be written.";
    return undefined;
  }

  const routes = routesAbout("host");
  resource(routes, "/readyz", {
    GET: {
      ignoresCredentials: true,
      produces: [],
      scope: "none",
      handle: async (req, res) => {
        const reason = await missing();
        if (reason !== undefined) throw new Failure("unavailable", reason, { headers: { "Retry-After": "1" } });
        await answer(req, res, 200, { status: "ready", version });
      },
    },
  });
  return {
    routes,
    missing,
    leave() {
      isLeaving = true;
    },
  };
}
