import type { Caller } from "../../../shared/kernel/caller.ts";
import { Failure, forbidden } from "../../../shared/kernel/failure.ts";
import type { PresentUser } from "../../../shared/live-events/people-present.ts";
import type { Presence, WindowAt } from "../../../shared/live-events/presence.routes.ts";
import { HttpParticipant } from "./http-participant.ts";
import type { LiveRoom, OpenedDocument } from "./live-room.ts";
import type { Identity } from "./presence.ts";

/** The credential of a browser: its windows are one participant in a draft. */
export const browserOf = ({ sessionId, tokenId, userId }: Caller): string => sessionId ?? tokenId ?? userId ?? "";

export interface ParticipantsOptions {
  /** Checks that the caller may see the draft. @throws Failure 403, 404. */
  open(caller: Caller, draft: string): Promise<{ identity: Identity; document: OpenedDocument }>;
  roomOf(document: OpenedDocument): LiveRoom;
  newClientId(): number;
}

/** The browsers that have drafts open. Notifies them who else is there. */
export interface HttpParticipants extends Presence {
  /** Who else is at the drafts that a browser has open. */
  peopleFor(browser: string): { draft: string; people: PresentUser[] }[];
  /** @param listener called with the browser whose list of people at a draft changed. */
  onPeople(listener: (browser: string, draft: string, people: PresentUser[]) => void): void;
  /** Announces the participants that are still there, and removes the others. */
  tick(nowMs: number): void;
}

/** Drafts that one browser and all browsers have open at once. */
const limits = { ofOne: 50, ofAll: 20_000 };

export function httpParticipants({ open, roomOf, newClientId }: ParticipantsOptions): HttpParticipants {
  const participants = new Map<string, { participant: HttpParticipant; room: LiveRoom; browser: string }>();
  let tell: (browser: string, draft: string, people: PresentUser[]) => void = () => undefined;
  const keyOf = (browser: string, draft: string): string => `${browser} ${draft}`;

  async function admit({ caller, draft }: WindowAt): Promise<HttpParticipant> {
    const browser = browserOf(caller);
    if (caller.userId === null || browser === "") throw forbidden();
    const { identity, document } = await open(caller, draft);
    // Another window of the browser may have joined meanwhile.
    const known = participants.get(keyOf(browser, draft));
    if (known) return known.participant;
    const own = [...participants.values()].filter((one) => one.browser === browser).length;
    if (own >= limits.ofOne || participants.size >= limits.ofAll)
      throw new Failure("too_many", "Too many drafts are open.");
    const room = roomOf(document);
    const participant = new HttpParticipant({
      ...{ draft, caller, identity, clientId: newClientId() },
      onPeople: (people) => tell(browser, draft, people),
      onClosed: (closed) => {
        participants.delete(keyOf(browser, draft));
        room.leave(closed);
      },
    });
    participants.set(keyOf(browser, draft), { participant, room, browser });
    room.joinByHttp(participant);
    return participant;
  }

  return {
    async join(at, field) {
      const key = keyOf(browserOf(at.caller), at.draft);
      const participant = participants.get(key)?.participant ?? (await admit(at));
      participant.report(at.window, field, performance.now());
      participants.get(key)?.room.announce(participant);
    },
    leave({ caller, draft, window }) {
      const participant = participants.get(keyOf(browserOf(caller), draft))?.participant;
      participant?.leave(window);
      if (participant && !participant.isPresent(performance.now())) participant.close();
    },
    peopleFor(browser) {
      const own = [...participants.values()].filter((one) => one.browser === browser);
      return own.map(({ participant }) => ({ draft: participant.draft, people: participant.people }));
    },
    onPeople(listener) {
      tell = listener;
    },
    tick(nowMs) {
      for (const { participant, room } of [...participants.values()]) {
        if (participant.isPresent(nowMs)) room.announce(participant);
        else participant.close();
      }
    },
  };
}
