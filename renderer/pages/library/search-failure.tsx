import { useTranslation } from "react-i18next";
import { parseQuery } from "../../../shared/search/language/query-parser.ts";
import type { QueryNode } from "../../../shared/search/language/query-tree.ts";
import { ApiFailure } from "../../api-client/request.ts";
import { Button } from "../../components/button.tsx";
import { InlineNotice, LoadFailure } from "../../components/notice.tsx";
import { correctedQuery } from "./corrected-query.ts";
import styles from "./library.module.css";
import { QueryHelp } from "./query-help.tsx";

/** Example values by field type. */
const samples = {
  number: ["2", ">10"],
  boolean: ["true", "false"],
  time: ["2024-05-03", ">now-7d"],
  days: ["2024", "[2020 TO 2023]"],
} as const;
const kinds = Object.keys(samples) as (keyof typeof samples)[];

/** The values of a field in the query, as typed. */
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
  /** Tries another query. */
  onTry: (query: string) => void;
  /** Offers the query help too. */
  hasHelp?: boolean;
}

/** A failed search. For an invalid value, names the field and valid examples. */
export function SearchFailure({ error, q, onRetry, onTry, hasHelp = false }: SearchFailureProps) {
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
          <InlineNotice
            tone="warn"
            title={title()}
            actions={
              <>
                {field &&
                  kind &&
                  samples[kind].map((value) => (
                    <Button key={value} small onPress={() => onTry(correctedQuery(q, field, value))}>
                      <code>{`${field}:${value}`}</code>
                    </Button>
                  ))}
                {hasHelp && <QueryHelp isWorded onTry={onTry} />}
              </>
            }
          >
            {kind ? t(`search_refused.expected.${kind}`) : field ? null : error.message}
          </InlineNotice>
        </div>
      ) : (
        <LoadFailure error={error} onRetry={onRetry} />
      )}
    </div>
  );
}
