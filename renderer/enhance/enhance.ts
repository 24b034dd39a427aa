// Comforts for the public pages of the server. Each of them works without this module (design, web 2).

const shownMs = 2000;
/** How long a form waits for its answer before it may be sent again. */
const waitsMs = 5000;

/** Announces changes to screen readers where the focus does not move. The text is not visible. */
function announcer(): (text: string) => void {
  const region = document.createElement("div");
  region.setAttribute("role", "status");
  Object.assign(region.style, { position: "absolute", width: "1px", height: "1px", overflow: "hidden" });
  Object.assign(region.style, { clipPath: "inset(50%)", whiteSpace: "nowrap", top: "0" });
  document.body.append(region);
  return (text) => {
    region.textContent = text;
  };
}

const announce = announcer();

/** Buttons that copy a text of the page. They are hidden where scripts do not run. */
function offerCopies(): void {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy ?? "")?.textContent?.trim() ?? "";
      await navigator.clipboard.writeText(text);
      button.textContent = button.dataset.done ?? label;
      announce(button.textContent);
      setTimeout(() => {
        button.textContent = label;
        announce("");
      }, shownMs);
    });
  }
}

/** The path of a row's file, as its page has it; else its words. */
function nameOf(row: Element): string {
  const { pathname = "" } = row.querySelector("a") ?? {};
  const [, path] = /\/files\/(.+?)(?:\/content)?$/.exec(pathname) ?? [];
  return (path === undefined ? (row.textContent ?? "") : decodeURIComponent(path)).toLowerCase();
}

/** Leaves the rows with a text while it is typed; folders with such rows open. */
function filterRows(list: Element, text: string): number {
  let count = 0;
  for (const row of list.querySelectorAll<HTMLElement>("li.file")) {
    row.hidden = !nameOf(row).includes(text);
    if (!row.hidden) count += 1;
  }
  for (const folder of list.querySelectorAll("details")) {
    const hasRows = folder.querySelector("li.file:not([hidden])") !== null;
    folder.open = text !== "" && hasRows;
    const item = folder.closest("li");
    if (item) item.hidden = !hasRows;
  }
  return count;
}

/** The filter of a list that is complete on the page works at once; the form asks the server without scripts. */
function filterAtOnce(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>("form[data-filters]")) {
    const list = document.getElementById(form.dataset.filters ?? "");
    const field = form.querySelector("input");
    const none = list?.querySelector<HTMLElement>("[data-none]");
    if (!list || !field) continue;
    const filter = (): void => {
      const count = filterRows(list, field.value.trim().toLowerCase());
      if (!none) return;
      none.hidden = count > 0;
      announce(count > 0 ? "" : (none.textContent ?? ""));
    };
    field.addEventListener("input", filter);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      filter();
    });
    if (field.value !== "") filter();
  }
}

/** Passwords can be looked at while they are typed. */
function showPasswords(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-shows]")) {
    const field = document.getElementById(button.dataset.shows ?? "");
    if (!(field instanceof HTMLInputElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => {
      const isShown = field.type === "text";
      field.type = isShown ? "password" : "text";
      button.setAttribute("aria-pressed", String(!isShown));
      field.focus();
    });
    // The browser must not keep what was shown among the texts of forms.
    field.form?.addEventListener("submit", () => {
      field.type = "password";
    });
  }
}

/** The second press of a double click would send a form again. Its answer, such as that a link was used, would be shown. */
function sendOnce(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[method="post"]')) {
    let sentAt = Number.NEGATIVE_INFINITY;
    form.addEventListener("submit", (event) => {
      if (event.timeStamp - sentAt < waitsMs) event.preventDefault();
      else sentAt = event.timeStamp;
    });
    // The page comes back as it was left.
    window.addEventListener("pageshow", () => {
      sentAt = Number.NEGATIVE_INFINITY;
    });
  }
}

/**
 * Back and reload ask for the address of a page, also where it answers a form: the browser would want to send that again,
 * or show nothing.
 */
const forgetForm = (): void => history.replaceState(history.state, "", location.href);

/** `/` goes to the search field. */
function searchByKey(): void {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof HTMLElement && target.closest("input, textarea, select") !== null;
    if (key !== "/" || isTyping || ctrlKey || metaKey || altKey) return;
    const field = document.querySelector<HTMLInputElement>('[role="search"] input');
    if (!field) return;
    event.preventDefault();
    field.select();
    field.focus();
  });
}

offerCopies();
filterAtOnce();
showPasswords();
sendOnce();
forgetForm();
searchByKey();
