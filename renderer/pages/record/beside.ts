import type { ReactNode } from "react";
import type { CommentAbout } from "../../../shared/comments/about.schema.ts";

/** What stands beside a field or file, such as the comments on it. */
export type Beside = (about: CommentAbout, label: string) => ReactNode;
