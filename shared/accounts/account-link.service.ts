import { randomBytes } from "node:crypto";
import type { Db, Tx } from "../database/open.ts";
import type { AccountLinkRow } from "../database/schema.ts";
import { Failure } from "../kernel/failure.ts";
import type { Host } from "../kernel/host.ts";
import { around, endsWithin, isWithin, pressMicros } from "../kernel/timestamps.ts";
import { orderMail } from "../notifications/mail-order.service.ts";
import { findLink } from "./account-link.reader.ts";
import { countLinks, endLink } from "./account-link.repository.ts";
import type { AccountOrder } from "./account-order.ts";
import { idInToken, linkToken } from "./link-secret.ts";

type Kind = AccountLinkRow["kind"];

const pathOf = { invitation: "invitation", reset: "reset-password", confirmation: "confirm-email" } as const;
const pages = Object.values(pathOf).map((path) => `/${path}/`);

/** Whether a path is below a page that links in mail lead to. Only a server has these pages. */
export const isAccountPage = (path: string): boolean => pages.some((page) => path.startsWith(page));

const hourMicros = 3_600 * 1_000_000;
const maxOfAddress = 3;
const maxOfNetwork = 20;
const ended = (): Failure => new Failure("not_found", "The link has ended.");

/** Whether a link has not expired. */
export const isInTime = ({ created, expires_at }: AccountLinkRow, now: number): boolean =>
  isWithin(expires_at, endsWithin(now, expires_at - created));

/** Ends a link that is being used. @throws Failure 404 when it has ended, so that of two uses the first one wins. */
export type EndLink = (tx: Tx) => Promise<void>;

/** Links by mail that work once (web 9). */
export interface AccountLinks {
  /** A new link, not stored yet. @param lifeMicros microseconds until it ends. */
  fresh(
    kind: Kind,
    lifeMicros: number,
    network: string,
  ): Omit<AccountLinkRow, "email" | "roles" | "invited_by" | "user_id">;
  /**
   * Whether an address got as many links in an hour as it may. @param tx the transaction that stores the next one.
   * @throws Failure 429 over the limit of the network.
   */
  isEnough(tx: Tx, kind: Kind, email: string, network: string): Promise<boolean>;
  /** Orders a mail, in the transaction of the change that it tells of. */
  order(tx: Db, mail: AccountOrder): Promise<void>;
  /** The open link of this kind with this text; undefined when it is wrong, used, withdrawn or expired. */
  find(kind: Kind, token: string): Promise<AccountLinkRow | undefined>;
  /** The link of this kind with this text that ended just now. The second press of a button comes to it. */
  findEnded(kind: Kind, token: string): Promise<AccountLinkRow | undefined>;
  /**
   * Uses a link for work that happens once. @param work calls `end` in the transaction of what it changes, so that the
   * link stays open if the work is refused, and nothing happens if the link has ended meanwhile.
   * @throws Failure 404 when it has ended.
   */
  use<T>(kind: Kind, token: string, work: (link: AccountLinkRow, end: EndLink) => Promise<T>): Promise<T>;
  /** The complete address that the mail names. */
  addressOf(link: Pick<AccountLinkRow, "id" | "kind">, baseUrl: string): string;
}

/** @param secret of the data folder. @param sendsMail whether the server has a mail server. */
export function accountLinks(host: Host, secret: Uint8Array, sendsMail: boolean): AccountLinks {
  async function ofKind(kind: Kind, token: string): Promise<AccountLinkRow | undefined> {
    const id = idInToken(secret, token);
    const link = id === undefined ? undefined : await findLink(host.db, id);
    return link?.kind === kind ? link : undefined;
  }

  async function find(kind: Kind, token: string): Promise<AccountLinkRow | undefined> {
    const link = await ofKind(kind, token);
    return link && link.ended_at === null && isInTime(link, host.now()) ? link : undefined;
  }

  async function findEnded(kind: Kind, token: string): Promise<AccountLinkRow | undefined> {
    const link = await ofKind(kind, token);
    const span = around(host.now(), pressMicros);
    return isWithin(link?.ended_at ?? 0, span) ? link : undefined;
  }

  return {
    fresh(kind, lifeMicros, network) {
      const now = host.now();
      const id = randomBytes(16).toString("base64url");
      return { id, kind, network, created: now, expires_at: now + lifeMicros, ended_at: null, newcomer: null };
    },
    async isEnough(tx, kind, email, network) {
      const within = around(host.now(), hourMicros);
      if ((await countLinks(tx, kind, { network }, within)) >= maxOfNetwork) {
        throw new Failure("too_many", "Too many requests for a mail. Try again later.", {
          headers: { "Retry-After": "3600" },
        });
      }
      return (await countLinks(tx, kind, { email }, within)) >= maxOfAddress;
    },
    order: async (tx, mail) => {
      if (sendsMail) await orderMail(tx, host, mail);
    },
    find,
    findEnded,
    async use(kind, token, work) {
      const link = await find(kind, token);
      if (!link) throw ended();
      return work(link, async (tx) => {
        if (!(await endLink(tx, link.id, host.now()))) throw ended();
      });
    },
    addressOf: ({ id, kind }, baseUrl) => `${baseUrl}/${pathOf[kind]}/${linkToken(secret, id)}`,
  };
}
