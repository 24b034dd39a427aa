import { useTranslation } from "react-i18next";
import { parseQuery } from "../../../shared/search/query-parser.ts";
import type { QueryNode } from "../../../shared/search/query-tree.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { InlineNotice, LoadFailure } from "../../components/notice.tsx";
import styles from "./library.module.css";
import { QueryHelp } from "./query-help.tsx";

const kinds = ["number", "boolean", "time", "days"] as const;

/** What a query asks of a field, as the person wrote it. */
function valuesOf(node: QueryNode, field: string): string[] {
  if (node.type === "group") return node.clauses.flatMap((clause) => valuesOf(clause.node, field));
  if (!("field" in node) || node.field !== field) return [];
  if (node.type === "range") return [node.lower, node.upper].flatMap((bound) => (bound ? [bound.value] : []));
  if (node.type === "wildcard" || node.type === "regex") return [node.pattern];
  return "text" in node ? [node.text] : [];
}

interface SearchFailureProps {
  error: Error;
  q: string;
  onRetry: () => void;
  /** Offers the help on how to ask, whose examples go into the box; left out where they do not fit. */
  onTry?: (query: string) => void;
}

/** A search that failed: of one that cannot be understood, which value does not fit which field, and how to ask. */
export function SearchFailure({ error, q, onRetry, onTry }: SearchFailureProps) {
  const { t } = useTranslation();
  const isRefused = error instanceof ApiFailure && error.status === 400;
  const { field, expected } = (isRefused && error.queryProblem) || {};
  const kind = kinds.find((one) => one === expected);
  const values = field ? valuesOf(parseQuery(q), field) : [];
  const title = () => {
    if (!field) return t("search_refused.title");
    return values.length === 1
      ? t("search_refused.value", { field, value: values[0] })
      : t("search_refused.values", { field });
  };
  return (
    <div className={styles.failure}>
      {isRefused ? (
        <div role="status">
          <InlineNotice tone="warn" title={title()} actions={onTry && <QueryHelp isWorded onTry={onTry} />}>
            {kind ? t(`search_refused.expected.${kind}`, { field }) : field ? null : error.message}
          </InlineNotice>
        </div>
      ) : (
        <LoadFailure error={error} onRetry={onRetry} />
      )}
    </div>
  );
}
