import { useQuery } from "@tanstack/react-query";
import { useElementScrollRestoration } from "@tanstack/react-router";
import { ArrowDown, ArrowUp, CircleCheck } from "lucide-react";
import { type ComponentType, type KeyboardEvent, memo, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { readPath } from "../../../shared/documents/path-text.ts";
import { draftFilesQuery } from "../../api-client/records.ts";
import { conflictsQuery } from "../../api-client/sync.ts";
import { useCommands } from "../../shell/command-list.ts";
import { AboutSection } from "./about-section.tsx";
import { AccessSection } from "./access-section.tsx";
import { BasicsSection } from "./basics-section.tsx";
import { CustomSection } from "./custom/custom-section.tsx";
import draft from "./draft.module.css";
import { filledSections, optionalSections, type Section, sectionOf, sections } from "./draft-content.ts";
import { useDraftPart, useDraftSession, useMadePart, useProblems } from "./draft-context.ts";
import styles from "./draft-form.module.css";
import { FilesSection } from "./files/files-section.tsx";
import { MoreSection } from "./more-section.tsx";
import { PeopleSection } from "./people-section.tsx";
import { RelatedSection } from "./related-section.tsx";
import { RequestedChanges } from "./requested-changes.tsx";
import { UnsurePublication } from "./unsure-publication.tsx";

const parts: Record<Section, ComponentType> = {
  files: FilesSection,
  basics: BasicsSection,
  people: PeopleSection,
  about: AboutSection,
  related: RelatedSection,
  custom: CustomSection,
  more: MoreSection,
  access: AccessSection,
};

const firstOptional = sections.find((section) => optionalSections.has(section));

const withoutFiles = sections.filter((section) => section !== "files");

/**
 * The form in one column, with a list of sections at the left.
 * @param isLost the draft is gone, and its files with it
 */
export function DraftForm({ isLost }: { isLost: boolean }) {
  const body = useDraftPart((view) => view.body);
  const scroll = useRef<HTMLDivElement>(null);
  const here = useSectionInSight(scroll);
  useFormerPlace(scroll);
  const shown = isLost ? withoutFiles : sections;
  const go = useSectionKeys(here, shown);
  // A combo box would open its list with the same keys, and has arrows alone for that.
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const step = event.altKey ? steps[event.key] : undefined;
    if (!step || !(event.target instanceof Element) || event.target.role !== "combobox") return;
    event.preventDefault();
    event.stopPropagation();
    go(step);
  };
  return (
    <>
      <SectionList here={here} shown={shown} />
      <div
        ref={scroll}
        className={styles.form}
        data-scroll-restoration-id={scrollId}
        onKeyDownCapture={onKeyDownCapture}
      >
        <div className={styles.formInner}>
          {!isLost && (
            <>
              <UnsurePublication draftId={body.id} />
              <RequestedChanges body={body} />
            </>
          )}
          {shown.map((section) => (
            <FormSection key={section} section={section} />
          ))}
        </div>
      </div>
    </>
  );
}

/** Not rendered again with the form: the draft changes with each answer of the host, its fields seldom. */
const FormSection = memo(function FormSection({ section }: { section: Section }) {
  const { t } = useTranslation();
  const Part = parts[section];
  return (
    <section
      id={`section-${section}`}
      className={optionalSections.has(section) ? styles.optional : draft.section}
      aria-labelledby={`heading-${section}`}
    >
      <div className={styles.sectionHead}>
        <h2 id={`heading-${section}`} tabIndex={-1}>
          {t(`draft.section.${section}`)}
        </h2>
        {optionalSections.has(section) && <span className={styles.optionalWord}>{t("draft.optional")}</span>}
      </div>
      <Part />
    </section>
  );
});

/** One stop for Tab: arrows move between the sections, Enter goes into one. */
function SectionList({ here, shown }: { here: Section; shown: readonly Section[] }) {
  const { t } = useTranslation();
  const problems = useProblems();
  const done = useDoneSections();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    const links: (Element | null)[] = [...event.currentTarget.querySelectorAll("a")];
    const next = links[links.indexOf(document.activeElement) + step];
    event.preventDefault();
    if (next instanceof HTMLElement) next.focus();
  };
  return (
    <nav className={styles.sections} aria-label={t("draft.sections")} onKeyDown={onKeyDown}>
      {shown.map((section) => {
        const count = problems.filter(({ field }) => sectionOf(field) === section).length;
        return (
          <a
            key={section}
            href={`#section-${section}`}
            className={`${styles.sectionLink} ${section === here ? styles.sectionHere : ""} ${section === firstOptional ? styles.firstOptional : ""}`}
            aria-current={section === here ? "true" : undefined}
            tabIndex={section === here ? 0 : -1}
            onClick={(event) => {
              event.preventDefault();
              goToSection(section);
            }}
          >
            {t(`draft.section.${section}`)}
            {count > 0 ? (
              <span className={styles.sectionCount} title={t("draft.problems", { count })}>
                {count}
              </span>
            ) : (
              done.has(section) && (
                <CircleCheck className={styles.sectionDone} size={13} aria-label={t("draft.section_done")} />
              )
            )}
          </a>
        );
      })}
    </nav>
  );
}

/** Sections with content and without a conflict. */
function useDoneSections(): ReadonlySet<Section> {
  const session = useDraftSession();
  const { data: files } = useQuery(draftFilesQuery(session.id));
  const { data: conflicts } = useQuery(conflictsQuery);
  const disputed = (conflicts?.hits.hits ?? []).flatMap(({ record, path }) =>
    record === session.id ? [sectionOf(readPath(path).join("."))] : [],
  );
  const hasFiles = (files?.entries ?? []).length > 0;
  const done = new Set(useMadePart(({ content }) => filledSections(content, hasFiles)));
  for (const section of disputed) done.delete(section);
  return done;
}

const scrollId = "draft-form";

/** After Back and Forward the form stands where it was. The router looks too early, while the draft is being opened. */
function useFormerPlace(scroll: React.RefObject<HTMLDivElement | null>) {
  const before = useElementScrollRestoration({ id: scrollId });
  const [top] = useState(before?.scrollY ?? 0);
  useLayoutEffect(() => {
    if (scroll.current && top > 0) scroll.current.scrollTop = top;
  }, [scroll, top]);
}

/** The last section whose heading is above the upper third of the form. */
function useSectionInSight(scroll: React.RefObject<HTMLDivElement | null>): Section {
  const [here, setHere] = useState<Section>("files");
  useEffect(() => {
    const area = scroll.current;
    if (!area) return;
    const look = () => {
      const line = area.getBoundingClientRect().top + area.clientHeight / 3;
      const passed = sections.filter((section) => {
        const top = document.getElementById(`section-${section}`)?.getBoundingClientRect().top;
        return top !== undefined && top <= line;
      });
      setHere(passed.at(-1) ?? "files");
    };
    area.addEventListener("scroll", look, { passive: true });
    return () => area.removeEventListener("scroll", look);
  }, [scroll]);
  return here;
}

/** The focus goes to the heading: a combo box would open its list with it. */
function goToSection(section: Section) {
  document.getElementById(`section-${section}`)?.scrollIntoView({ block: "start" });
  document.getElementById(`heading-${section}`)?.focus({ preventScroll: true });
}

const steps: Record<string, 1 | -1 | undefined> = { ArrowDown: 1, ArrowUp: -1 };

/** Alt with an arrow moves between sections. */
function useSectionKeys(here: Section, shown: readonly Section[]) {
  const { t } = useTranslation();
  const go = (step: number) => {
    const focused = shown.find((section) =>
      document.getElementById(`section-${section}`)?.contains(document.activeElement),
    );
    const next = shown[shown.indexOf(focused ?? here) + step];
    if (next) goToSection(next);
  };
  useCommands([
    {
      id: "section.next",
      group: "page",
      label: t("palette.next_section"),
      icon: ArrowDown,
      keys: "alt+arrowdown",
      run: () => go(1),
    },
    {
      id: "section.previous",
      group: "page",
      label: t("palette.previous_section"),
      icon: ArrowUp,
      keys: "alt+arrowup",
      run: () => go(-1),
    },
  ]);
  return go;
}
