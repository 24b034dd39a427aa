import type { Caller } from "../../../shared/kernel/caller.ts";
import { Failure, forbidden } from "../../../shared/kernel/failure.ts";
import type { PresentUser } from "../../../shared/live-events/people-present.ts";
import type { Presence, WindowAt } from "../../../shared/live-events/presence.routes.ts";
import { HttpSeat } from "./http-seat.ts";
import type { LiveRoom, OpenedDocument } from "./live-room.ts";
import type { Identity } from "./presence.ts";

/** The credential of a browser: its windows share one seat at a draft. */
export const browserOf = ({ sessionId, tokenId, userId }: Caller): string => sessionId ?? tokenId ?? userId ?? "";

export interface SeatsOptions {
  /** Checks that the caller may see the draft. @throws Failure 403, 404. */
  open(caller: Caller, draft: string): Promise<{ identity: Identity; document: OpenedDocument }>;
  roomOf(document: OpenedDocument): LiveRoom;
  newClientId(): number;
}

/** Seats of browsers at drafts, and who hears of them. */
export interface HttpSeats extends Presence {
  /** Who else is at the drafts that a browser has open. */
  peopleFor(browser: string): { draft: string; people: PresentUser[] }[];
  /** @param listener called with the browser whose list of people at a draft changed. */
  onPeople(listener: (browser: string, draft: string, people: PresentUser[]) => void): void;
  /** Repeats the seats that are taken, and gives up the others. */
  tick(nowMs: number): void;
}

/** Seats of one browser, and of all. */
const most = { ofOne: 50, ofAll: 20_000 };

export function httpSeats({ open, roomOf, newClientId }: SeatsOptions): HttpSeats {
  const seats = new Map<string, { seat: HttpSeat; room: LiveRoom; browser: string }>();
  let tell: (browser: string, draft: string, people: PresentUser[]) => void = () => undefined;
  const keyOf = (browser: string, draft: string): string => `${browser} ${draft}`;

  async function sit({ caller, draft }: WindowAt): Promise<HttpSeat> {
    const browser = browserOf(caller);
    if (caller.userId === null || browser === "") throw forbidden();
    const { identity, document } = await open(caller, draft);
    // Another window of the browser may have sat down meanwhile.
    const known = seats.get(keyOf(browser, draft));
    if (known) return known.seat;
    const own = [...seats.values()].filter((one) => one.browser === browser).length;
    if (own >= most.ofOne || seats.size >= most.ofAll) throw new Failure("too_many", "Too many drafts are open.");
    const room = roomOf(document);
    const seat = new HttpSeat({
      ...{ draft, caller, identity, clientId: newClientId() },
      onPeople: (people) => tell(browser, draft, people),
      onClosed: (closed) => {
        seats.delete(keyOf(browser, draft));
        room.stand(closed);
      },
    });
    seats.set(keyOf(browser, draft), { seat, room, browser });
    room.sit(seat);
    return seat;
  }

  return {
    async join(at, field) {
      const key = keyOf(browserOf(at.caller), at.draft);
      const seat = seats.get(key)?.seat ?? (await sit(at));
      seat.report(at.window, field, performance.now());
      seats.get(key)?.room.announce(seat);
    },
    leave({ caller, draft, window }) {
      const seat = seats.get(keyOf(browserOf(caller), draft))?.seat;
      seat?.leave(window);
      if (seat && !seat.isTaken(performance.now())) seat.close();
    },
    peopleFor(browser) {
      const own = [...seats.values()].filter((one) => one.browser === browser);
      return own.map(({ seat }) => ({ draft: seat.draft, people: seat.people }));
    },
    onPeople(listener) {
      tell = listener;
    },
    tick(nowMs) {
      for (const { seat, room } of [...seats.values()]) {
        if (seat.isTaken(nowMs)) room.announce(seat);
        else seat.close();
      }
    },
  };
}
