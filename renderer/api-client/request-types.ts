import type { z } from "zod";
import type { user } from "../../shared/openapi/answers/people.schema.ts";
import type { attachment, request, thread } from "../../shared/openapi/answers/review.schema.ts";

type User = z.infer<typeof user>;

/** A user as others see them; only the id for a deleted user. */
export type UserView = Pick<User, "id"> &
  Partial<Pick<User, "username" | "email" | "is_current_user" | "identities">> & {
    profile?: Partial<User["profile"]>;
    is_ghost?: boolean;
  };

type Request = z.infer<typeof request>;
export type RequestStatus = Request["status"];

/** A review request (requests contract 3); `expanded` with `?expand=1`. */
export type ReviewRequest = Omit<Request, "expanded" | "last_reply"> & {
  last_reply: RequestEvent | null;
  expanded?: {
    created_by?: UserView;
    /** On an InvenioRDM a community with its title. */
    receiver?: UserView & { title?: string };
    reviewers?: UserView[];
    topic?: { id: string; title?: string };
  };
};

/** An attachment of a comment (requests 9); `size` in bytes. */
export type Attachment = z.infer<typeof attachment>;

type Thread = z.infer<typeof thread>;

/** An event of a conversation. Replies belong to a top-level comment. */
export type RequestEvent = Omit<Thread, "expanded" | "children" | "children_count"> & {
  children?: RequestEvent[];
  children_count?: number;
  expanded?: { created_by?: UserView; files?: Attachment[] };
};
