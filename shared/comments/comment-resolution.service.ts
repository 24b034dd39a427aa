import type { Caller } from "../kernel/caller.ts";
import { Failure, forbidden } from "../kernel/failure.ts";
import { type CommandHandler, type Host, handles } from "../kernel/host.ts";
import { quotedTitle } from "../requests/request.lifecycle.ts";
import type { EventAbout } from "./about.schema.ts";
import { mayResolveComment } from "./comment.policy.ts";
import { type ResolveComment, resolveComment } from "./comment.schema.ts";
import type { CommentService } from "./comment.service.ts";
import { updateEvent } from "./event.repository.ts";

export interface ResolutionService {
  /** Settles a comment on a field or file, or opens it again. @throws Failure 404, 403, 400. */
  resolve(caller: Caller, input: ResolveComment): Promise<string>;
  commands: CommandHandler[];
}

/** Which comments on fields and files are settled. The mark stands beside what the comment is about. */
export function resolutionService({ host, comments }: { host: Host; comments: CommentService }): ResolutionService {
  const resolve = (caller: Caller, input: ResolveComment): Promise<string> =>
    host.write(caller, resolveComment, input, async (tx) => {
      const { request, part, event } = await comments.requireReadable(tx, caller, input.requestId, input.id);
      if (!mayResolveComment(event, part, event.creator_id === caller.userId)) throw forbidden();
      if (event.about === null) throw new Failure("invalid", "Only a comment on a field or a file can be resolved.");
      const { resolved_by, ...about } = JSON.parse(event.about) as EventAbout & { resolved_by?: string };
      // Two people may press at the same time: the first one stays named.
      if (input.isResolved !== (resolved_by !== undefined)) {
        const next = input.isResolved ? { ...about, resolved_by: caller.userId ?? "" } : about;
        await updateEvent(tx, event.id, { about: JSON.stringify(next), revision_id: event.revision_id + 1 });
      }
      const verb = input.isResolved ? "Resolve" : "Reopen";
      return {
        result: event.id,
        object: { kind: "comment", id: event.id },
        touched: [{ kind: "request", id: request.id }],
        title: `${verb} a comment on ${quotedTitle(request.title)}`,
      };
    });
  return { resolve, commands: [handles(resolveComment, resolve)] };
}
