import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ObjectRef } from "../../api-client/sync-types.ts";

/** A link to a draft, record, request or comment; plain text for other objects. */
export function ObjectLink({
  object,
  children,
  onLeave,
}: {
  object: ObjectRef;
  children: ReactNode;
  onLeave: (() => void) | undefined;
}) {
  const leave = onLeave ? { onClick: onLeave } : {};
  if (object.kind === "draft")
    return (
      <Link to="/uploads/$id" params={{ id: object.id }} {...leave}>
        {children}
      </Link>
    );
  if (object.kind === "record" || object.kind === "family")
    return (
      <Link to="/records/$id" params={{ id: object.id }} {...leave}>
        {children}
      </Link>
    );
  const request = object.kind === "request" ? object.id : object.request;
  if (request !== undefined)
    return (
      <Link
        to="/me/requests/$id"
        params={{ id: request }}
        {...(object.kind === "comment" ? { hash: `commentevent-${object.id}` } : {})}
        {...leave}
      >
        {children}
      </Link>
    );
  return <span>{children}</span>;
}
