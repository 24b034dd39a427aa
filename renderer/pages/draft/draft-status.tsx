import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, CircleDot } from "lucide-react";
import { Button } from "react-aria-components";
import { useTranslation } from "react-i18next";
import type { Problem, RecordBody } from "../../api-client/record-types.ts";
import { latestQuery } from "../../api-client/records.ts";
import { syncStatusQuery } from "../../api-client/sync.ts";
import { StateWord } from "../../components/state-word.tsx";
import { useFieldLabel } from "../../components/use-field-label.ts";
import { formatFull } from "../../format/times.ts";
import { translateRefusal } from "../../locales/refusals.ts";
import { stageOf } from "../library/record-stage.ts";
import { workState } from "../library/work-state.ts";
import styles from "./draft.module.css";
import { missing, sectionOf, waitsForReview, waitsToPublish } from "./draft-content.ts";
import { useDraftPart, useProblems } from "./draft-context.ts";
import { unfoldGroupOf } from "./fields/folded-group.tsx";
import { SeeAsPublic } from "./see-as-public.tsx";
import { useUnsureSite } from "./unsure-publication.tsx";

const controls = "input, textarea, [contenteditable=true], button, [role=textbox]";

/**
 * Unfolds the group of a field, scrolls to the field and focuses it. Not for effects: they cannot wait for the fields.
 */
export function goToField(field: string) {
  unfoldGroupOf(field);
  const parts = field.split(".");
  for (let length = parts.length; length > 0; length--) {
    const block = document.getElementById(`field-${parts.slice(0, length).join(".")}`);
    if (!block) continue;
    block.scrollIntoView({ block: "center" });
    (block.querySelector<HTMLElement>(controls) ?? block).focus({ preventScroll: true });
    return;
  }
  const section = document.getElementById(`section-${sectionOf(field)}`);
  section?.scrollIntoView();
  section?.querySelector<HTMLElement>(controls)?.focus({ preventScroll: true });
}

/** What is ahead of a draft in which nothing is missing. */
function endOf(body: RecordBody): "waits" | "in_review" | "submitting" | "open" {
  if (waitsToPublish(body)) return "waits";
  if (body.status === "in_review") return "in_review";
  return waitsForReview(body) ? "submitting" : "open";
}

/** The draft's status and missing fields. */
export function DraftStatus() {
  const { t } = useTranslation();
  const body = useDraftPart((view) => view.body);
  const { data: status } = useQuery(syncStatusQuery);
  const end = endOf(body);
  const problems = useProblems();
  const unsureSite = useUnsureSite(body.id);
  const site = unsureSite ?? (end === "waits" ? status?.upstream?.name : undefined);
  const ready =
    site === undefined
      ? t(`draft.ready.${end}`)
      : t(unsureSite ? "upstream.unsure_pill" : "upstream.publish_noted", { name: site });
  return (
    <div className={styles.beside}>
      <section className={styles.sideBlock}>
        <StateWord state={workState(body.sync, status)} reason={body.sync?.message} />
        <dl className={styles.facts}>
          <dt>{t("draft.stage")}</dt>
          <dd>
            {t(stageOf(body))}
            {body.parent.review && body.status !== "in_review" && (
              <>
                {" · "}
                <Link to="/me/requests/$id" params={{ id: body.parent.review.id }}>
                  {t("draft.to_review")}
                </Link>
              </>
            )}
          </dd>
          <dt>{t("draft.version_index")}</dt>
          <dd>{body.versions.index}</dd>
          <dt>{t("draft.changed")}</dt>
          <dd>{formatFull(body.updated)}</dd>
          <dt>{t("draft.id")}</dt>
          <dd>
            <code>{body.id}</code>
          </dd>
        </dl>
        <SincePublished body={body} />
      </section>
      <section className={styles.sideBlock} aria-labelledby="before-publishing">
        <h2 id="before-publishing">{t("draft.before")}</h2>
        {problems.length === 0 ? (
          <p className={styles.ready}>
            <CircleCheck size={16} aria-hidden="true" />
            {ready}
          </p>
        ) : (
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.field}${problem.messages[0]}`}>
                <ProblemRow problem={problem} />
              </li>
            ))}
          </ul>
        )}
        <span>
          <SeeAsPublic />
        </span>
      </section>
    </div>
  );
}

/** Link from a draft to its differences from the published version. */
function SincePublished({ body }: { body: RecordBody }) {
  const { t } = useTranslation();
  const isEdit = stageOf(body) === "record_status.editing";
  const isNext = !isEdit && body.versions.index > 1;
  const { data: latest } = useQuery({ ...latestQuery(body.parent.id), enabled: isNext });
  const id = isEdit ? body.id : latest?.id;
  if (id === undefined) return null;
  return (
    <Link to="/records/$id/compare/$other" params={{ id, other: `draft:${body.id}` }}>
      {t("compare.since_published")}
    </Link>
  );
}

function ProblemRow({ problem }: { problem: Problem }) {
  const { t } = useTranslation();
  const [root, key, index] = problem.field.split(".");
  const name = root === "metadata" ? key : root === "custom_fields" ? problem.field : root;
  const label = useFieldLabel()(name ?? "");
  const place = index && /^\d+$/.test(index) ? ` ${Number(index) + 1}` : "";
  const words =
    problem.messages[0] === missing
      ? t("draft.missing")
      : problem.messages.map((one) => translateRefusal(one)).join(" ");
  return (
    <Button className={styles.problem ?? ""} onPress={() => goToField(problem.field)}>
      <CircleDot size={13} aria-hidden="true" />
      <span>
        <span className={styles.problemField}>{label + place}</span>
        <span className={styles.problemWords}>{words}</span>
      </span>
    </Button>
  );
}
