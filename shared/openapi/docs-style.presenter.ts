/** The style sheet of the API page, light and dark. */
export const docsStyle = `
:root { color-scheme: light dark; --ink: #1d2125; --soft: #5a6472; --line: #dfe3e8; --page: #fff; --panel: #f6f7f9;
  --mark: #0b6b5d; --get: #1b5fa8; --post: #1a6d3c; --put: #855000; --delete: #a62b22; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a3adb9; --line: #343a42; --page: #16191d;
  --panel: #1e2227; --mark: #63cdb8; --get: #8ab9f1; --post: #7fd1a0; --put: #e3b36a; --delete: #f19a92; } }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--page); font: 16px/1.5 system-ui, sans-serif; }
.page { display: grid; grid-template-columns: 13rem minmax(0, 56rem); gap: 3rem; max-width: 76rem; margin: 0 auto; padding: 2rem; }
nav { position: sticky; top: 2rem; align-self: start; max-height: calc(100vh - 4rem); overflow: auto; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { margin: 0.35rem 0; }
a { color: var(--mark); text-underline-offset: 0.2em; }
nav a { color: var(--soft); text-decoration: none; }
nav a:hover, nav a:focus-visible { color: var(--ink); text-decoration: underline; }
h1 { margin: 0 0 0.5rem; font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 3rem 0 0.75rem; font-size: 1.25rem; }
h3 { margin: 1.75rem 0 0.25rem; font-size: 1rem; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.875rem; color: var(--soft); }
p { margin: 0.25rem 0 0.5rem; }
code { font: 0.875em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
details { border: 1px solid var(--line); border-radius: 6px; margin: 0.375rem 0; background: var(--page); }
summary { display: grid; align-items: baseline; grid-template-columns: 4.5rem minmax(0, 1fr); gap: 0.75rem; padding: 0.5rem 0.75rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--panel); }
summary span { display: block; color: var(--soft); font-size: 0.875rem; }
details > div { padding: 0 0.75rem 0.75rem; border-top: 1px solid var(--line); }
.verb { font-weight: 600; }
.get { color: var(--get); } .post { color: var(--post); } .put, .patch { color: var(--put); } .delete { color: var(--delete); }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: 0.3rem 0.75rem 0.3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { width: 17rem; }
tr:last-child td { border-bottom: 0; }
.soft { color: var(--soft); }
@media (max-width: 48rem) { .page { grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: 1rem; } nav { position: static; max-height: none; }
  th:first-child, td:first-child { width: auto; } }
`;
