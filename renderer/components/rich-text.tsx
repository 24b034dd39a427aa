import DOMPurify from "dompurify";
import { useMemo } from "react";
import styles from "./rich-text.module.css";

const allowedTags =
  "a abbr acronym b blockquote br code div em h1 h2 h3 h4 h5 i li ol p pre span strike strong sub sup table tbody td th thead tr u ul".split(
    " ",
  );

// Links in others' texts open outside the app.
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
});

/** Others' HTML, sanitised again before it is shown (the API sanitised it already). */
export function RichText({ html }: { html: string }) {
  const clean = useMemo(
    () =>
      DOMPurify.sanitize(html, {
        ALLOWED_TAGS: allowedTags,
        ALLOWED_ATTR: ["href", "title"],
        ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
      }),
    [html],
  );
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned by DOMPurify in the line above
  return <div className={styles.text} dir="auto" dangerouslySetInnerHTML={{ __html: clean }} />;
}
