import { useState } from "react";
import type { UserView } from "../api-client/request-types.ts";
import styles from "./avatar.module.css";

interface AvatarProps {
  name: string;
  /** Whose picture is shown, if they have one. */
  user?: Pick<UserView, "id" | "profile"> | undefined;
  size?: "small" | "profile";
}

/** The picture of a user, or initials, in a circle. Hidden from screen readers, because the name is next to it. */
export function Avatar({ name, user, size = "small" }: AvatarProps) {
  const [broken, setBroken] = useState<string>();
  const picture = user?.profile?.picture;
  const words = name.split(/[\s,]+/).filter(Boolean);
  const initials = [words[0], words.length > 1 ? words[words.length - 1] : ""].map(([sign = ""] = "") => sign).join("");
  const className = `${styles.avatar} ${styles[size]}`;
  if (user && picture && picture !== broken) {
    // Each picture has an address of its own, so that a new one is seen at once.
    const src = `/api/users/${encodeURIComponent(user.id)}/avatar.svg?v=${picture}`;
    return (
      <span className={className} aria-hidden="true">
        <img src={src} alt="" loading="lazy" decoding="async" onError={() => setBroken(picture)} />
      </span>
    );
  }
  return <span className={className} data-initials={initials.toUpperCase() || "?"} aria-hidden="true" />;
}
