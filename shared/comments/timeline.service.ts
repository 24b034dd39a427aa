import type { Db } from "../database/open.ts";
import type { EventRow } from "../database/schema.ts";
import type { Caller } from "../kernel/caller.ts";
import type { Host } from "../kernel/host.ts";
import { isUuid } from "../kernel/uuid.ts";
import type { Reached, RequestService } from "../requests/request.service.ts";
import type { FoundItems } from "../search/lists/list-search.ts";
import type { SearchRequest } from "../search/search-parameters.ts";
import { presentEvent, presentExpandedFile } from "./event.presenter.ts";
import { countReplies, findEvent, listEvents, listFilesOfEvents, listNewestReplies } from "./event.repository.ts";
import { pageOf } from "./timeline-page.policy.ts";
import { searchEvents } from "./timeline-search.ts";

/** Options for presenting events. */
export interface EventsView {
  caller: Caller;
  reached: Reached;
  expand: boolean;
}

export interface TimelineService {
  /** Top-level events, or the replies to one. @throws Failure 400 for a mistyped value. */
  search(reached: Reached, parentId: string | null, request: SearchRequest): Promise<FoundItems<EventRow>>;
  /** The page that contains an event, or the parent of a reply; 1 when there is no such event. */
  pageWith(reached: Reached, parentId: string | null, focus: Focus): Promise<number>;
  present(events: readonly EventRow[], view: EventsView): Promise<Record<string, unknown>[]>;
  /** As `present`, with the newest replies of each event and their number. */
  presentThreads(events: readonly EventRow[], view: EventsView): Promise<Record<string, unknown>[]>;
}

export interface Focus {
  eventId: string | undefined;
  size: number;
  order: "oldest" | "newest";
}

const shownReplies = 5;

/** Reads conversations (requests 7, 8). */
export function timelineService({ host, requests }: { host: Host; requests: RequestService }): TimelineService {
  const { db } = host;

  async function expandedOf(
    db: Db,
    event: EventRow,
    files: Parameters<typeof presentExpandedFile>[0][],
    caller: Caller,
  ) {
    return {
      created_by: await requests.expandUser(db, caller, event.creator_id),
      ...(files.length > 0 ? { files: files.map((file) => presentExpandedFile(file, host.baseUrl)) } : {}),
    };
  }

  async function present(events: readonly EventRow[], view: EventsView): Promise<Record<string, unknown>[]> {
    const { caller, reached, expand } = view;
    const ids = events.map(({ id }) => id);
    const attached = await listFilesOfEvents(db, ids);
    const bodies: Record<string, unknown>[] = [];
    for (const event of events) {
      const files = attached.filter((file) => file.event_id === event.id);
      const body = presentEvent(event, {
        ...{ baseUrl: host.baseUrl, request: reached.request, part: reached.part, userId: caller.userId },
        ...{ files, hasPage: true },
        sync: await host.syncMark(db, { kind: "comment", id: event.id }),
        ...(expand ? { expanded: await expandedOf(db, event, files, caller) } : {}),
      });
      bodies.push(body);
    }
    return bodies;
  }

  return {
    async search(reached, parentId, request) {
      return searchEvents(await listEvents(db, reached.request.id, parentId), request, host.now());
    },
    async pageWith(reached, parentId, { eventId, size, order }) {
      if (eventId === undefined || !isUuid(eventId)) return 1;
      const focus = await findEvent(db, reached.request.id, eventId.toLowerCase());
      const wanted = parentId === null ? (focus?.parent_id ?? focus?.id) : focus?.id;
      const events = await listEvents(db, reached.request.id, parentId);
      const ordered = order === "oldest" ? events : events.reverse();
      return pageOf(
        ordered.findIndex(({ id }) => id === wanted),
        size,
      );
    },
    present,
    async presentThreads(events, view) {
      const bodies = await present(events, view);
      for (const [index, event] of events.entries()) {
        const { id } = view.reached.request;
        const replies = await listNewestReplies(db, id, event.id, shownReplies);
        const children = await present(replies, view);
        bodies[index] = { ...bodies[index], children, children_count: await countReplies(db, id, event.id) };
      }
      return bodies;
    },
  };
}
