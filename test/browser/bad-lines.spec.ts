import { expect, type Locator, type Page, test } from "@playwright/test";
import type { RunningReplica } from "../../main/replica/open-replica.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow, type Person } from "./desk.ts";
import { hold } from "./hold.ts";
import { hostileFiles } from "./preview-samples.ts";
import { comment, givenReview } from "./reviewing.ts";
import { givenSample, previewFiles, smallZip } from "./samples.ts";
import { openSeat } from "./seats.ts";

let desk: Desk;
let karin: Person;
let paolo: Person;
let replica: RunningReplica;
let record: string;
test.beforeAll(async () => {
  desk = await Desk.open();
  karin = await desk.person("karin", "Karin Lindqvist");
  paolo = await desk.person("paolo", "Paolo Marchetti");
  record = await givenSample(karin.server, 2, { files: { ...previewFiles, ...hostileFiles }, zip: await smallZip() });
  await karin.server.post(`/api/records/${record}/draft`);
  replica = await desk.replica(karin);
  const here = new HttpClient(replica.url, replica.guard.secret);
  await expect.poll(async () => (await here.get(`/api/records/${record}/draft`)).status).toBe(200);
});
test.afterAll(() => desk.close());

/** Refuses every read, as a gateway does while the server is away, and lets the app read everything again. */
async function readInVain(page: Page): Promise<void> {
  let refused = 0;
  await page.route(/\/api\/(?!sync\/(events|status))/, (route) => {
    refused += 1;
    return route.fulfill({ status: 503, json: { status: 503, message: "The server is away." } });
  });
  const readAgain = async () => {
    const before = refused;
    // What the stream of events says after a gap.
    await page.evaluate(() => {
      const others = new BroadcastChannel("carrel-events");
      others.postMessage(["gap", ""]);
      others.close();
    });
    await expect.poll(() => refused).toBeGreaterThan(before + 2);
  };
  await readAgain();
  // The app has drawn the first refusals before it reads once more.
  await readAgain();
}

/** What a page of a record keeps on the screen. */
interface Shown {
  what: string;
  path: string;
  /** Name of the button that shows it. */
  button?: string;
  shown: (page: Page) => Locator;
}
const pages: Shown[] = [
  {
    ...{ what: "the preview of a table", path: "", button: "Preview stations.csv" },
    shown: (page) => page.getByRole("table", { name: "stations.csv" }),
  },
  {
    ...{ what: "the preview of a PDF", path: "", button: "Preview paper.pdf" },
    shown: (page) => page.getByText(/of \d+ pages?/),
  },
  {
    ...{ what: "the preview of a text", path: "", button: "Preview run.py" },
    shown: (page) => page.getByText("import"),
  },
  {
    ...{ what: "an archive", path: "/files/data/sst-1998-2003.zip?path=README.md" },
    shown: (page) => page.getByText("One file a day."),
  },
  {
    ...{ what: "a comparison", path: "/compare/draft" },
    shown: (page) => page.getByRole("heading", { name: "What changed" }),
  },
];

for (const { what, path, button, shown } of pages)
  test(`${what} stays on the screen when it cannot be read again (hosts-and-sync 5, events)`, async ({ browser }) => {
    const { page } = await openWindow(browser, replica);
    await page.goto(`${replica.url}/records/${record}${path}`);
    if (button) await page.getByRole("button", { name: button, exact: true }).click();
    await expect(shown(page).first()).toBeVisible();
    await readInVain(page);
    await expect(shown(page).first()).toBeVisible();
  });

test("a request stays on the screen with the comment that is being typed, when it cannot be read again (hosts-and-sync 5, events)", async ({
  browser,
}) => {
  const request = await givenReview(karin, paolo);
  const { page } = await openSeat(browser, desk, paolo, "server", `/me/requests/${request}`);
  await comment(page).fill("Half a thought");
  await readInVain(page);
  await expect(comment(page)).toHaveText("Half a thought");
  await expect(comment(page)).toBeFocused();
});

test("the files of a draft stay on the screen when they cannot be read again (hosts-and-sync 5, events)", async ({
  browser,
}) => {
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const { page } = await openSeat(browser, desk, karin, "server", `/uploads/${id}`);
  await expect(page.getByRole("treegrid", { name: "Files" }).getByText("README.md")).toBeVisible();
  await readInVain(page);
  await expect(page.getByRole("treegrid", { name: "Files" }).getByText("README.md")).toBeVisible();
});

test("a list that loads while somebody types stays closed once an entry is chosen (app, vocabulary fields)", async ({
  browser,
}) => {
  const { body } = await karin.server.post("/api/records", { metadata: { title: "Late lists" } });
  const { page } = await openSeat(browser, desk, karin, "server");
  const list = await hold(page, "GET", /\/api\/vocabularies\/resourcetypes/);
  await page.goto(`/uploads/${body.id}`);
  const type = page.getByRole("combobox", { name: "Resource type" });
  await type.pressSequentially("Datas");
  await expect(page.getByText("Searching", { exact: true })).toBeVisible();
  await list.release();
  await expect(page.getByRole("option", { name: "Dataset", exact: true })).toBeVisible();
  await type.press("ArrowDown");
  await type.press("Enter");
  await expect(type).toHaveValue("Dataset");
  // An open list hides the rest of the page.
  await page.getByRole("textbox", { name: "Publisher" }).press("End");
  await expect(page.getByRole("listbox")).toHaveCount(0);
});
