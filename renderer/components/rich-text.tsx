import { useRouter } from "@tanstack/react-router";
import DOMPurify from "dompurify";
import { useEffect, useMemo, useRef } from "react";
import styles from "./rich-text.module.css";

const allowedTags =
  "a abbr acronym b blockquote br code div em h1 h2 h3 h4 h5 i li ol p pre span strike strong sub sup table tbody td th thead tr u ul".split(
    " ",
  );

/** The page of a person whom the text mentions. */
const person = /^\/people\/[\w-]+$/;

// Links in others' texts open outside the app, but those to people of the same library. A wide table scrolls by keys, too.
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "TABLE") node.setAttribute("tabindex", "0");
  if (node.tagName !== "A" || person.test(node.getAttribute("href") ?? "")) return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** Others' HTML, sanitised again before it is shown (the API sanitised it already). */
export function RichText({ html }: { html: string }) {
  const router = useRouter();
  const box = useRef<HTMLDivElement>(null);
  const clean = useMemo(
    () =>
      DOMPurify.sanitize(html, {
        ALLOWED_TAGS: allowedTags,
        ALLOWED_ATTR: ["href", "title"],
        ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto):|\/people\/[\w-]+$)/i,
      }),
    [html],
  );
  useEffect(() => {
    const element = box.current;
    const follow = (event: MouseEvent) => {
      const href = (event.target as Element).closest("a")?.getAttribute("href") ?? "";
      if (!person.test(href) || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      void router.navigate({ to: href });
    };
    element?.addEventListener("click", follow);
    return () => element?.removeEventListener("click", follow);
  }, [router]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by DOMPurify above
  return <div ref={box} className={styles.text} dir="auto" dangerouslySetInnerHTML={{ __html: clean }} />;
}
