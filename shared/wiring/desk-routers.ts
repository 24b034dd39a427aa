import type { Router } from "express";
import { commentDraftRoutes } from "../comments/comment-draft.routes.ts";
import type { CommentDrafts } from "../comments/comment-draft.service.ts";
import { deskRoutes } from "../desk/desk.routes.ts";
import type { Shelf } from "../desk/desk.schema.ts";
import { deskService } from "../desk/desk.service.ts";
import type { DeskOwner } from "../desk/desk-owner.ts";
import { conflictRoutes } from "../drafts/conflict.routes.ts";
import type { ConflictService } from "../drafts/conflict.service.ts";
import type { Host } from "../kernel/host.ts";
import { personRoutes } from "../users/person.routes.ts";

export interface DeskParts {
  host: Host;
  services: { conflicts: ConflictService };
  commentDrafts: CommentDrafts;
  ownerOf: DeskOwner;
  /** Called with the owner of what changed, so that their other windows read it again. */
  onChanged(owner: string, object: { kind: string; id: string }): void;
  /** Called when a shelf of notes is read. */
  onShelfRead?(shelf: Shelf): void;
}

/** What the app keeps for its user beside the repository, on both hosts (design, web 5). */
export const deskRouters = ({
  host,
  services,
  commentDrafts,
  ownerOf,
  onChanged,
  onShelfRead,
}: DeskParts): Router[] => [
  personRoutes(),
  conflictRoutes({ host, conflicts: services.conflicts }),
  commentDraftRoutes({ commentDrafts, ownerOf }),
  deskRoutes({
    desk: deskService(host.db),
    ownerOf,
    onRead: onShelfRead,
    onChanged: (owner, shelf) => onChanged(owner, { kind: "desk", id: shelf }),
  }),
];
