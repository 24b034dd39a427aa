import { expect, test } from "@playwright/test";
import { addFile, fileOf } from "../support/files.ts";
import { HttpClient } from "../support/http-client.ts";
import { Desk, openWindow } from "./desk.ts";
import { givenSample } from "./samples.ts";

test("a conflict names a resource type and a role by their titles, in the list of conflicts and in the form (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const replica = await desk.replica(karin);
  const near = new HttpClient(replica.url, replica.guard.secret);
  const id = await givenSample(karin.server, 0, { isPublished: false });
  const path = `/api/records/${id}/draft`;
  await near.post("/api/sync/run");
  await expect.poll(async () => (await near.get(path)).status).toBe(200);
  await near.post("/api/sync/pause");
  const { metadata } = (await near.get(path)).body;
  const withChoices = (type: string, role: string) => ({
    metadata: {
      ...metadata,
      resource_type: { id: type },
      creators: metadata.creators.map((one: object) => ({ ...one, role: { id: role } })),
    },
  });
  expect((await near.put(path, withChoices("publication-annotationcollection", "datacollector"))).status).toBe(200);
  expect((await karin.server.put(path, withChoices("publication-datapaper", "projectmanager"))).status).toBe(200);
  await near.post("/api/sync/resume");
  await expect.poll(async () => (await near.get("/api/sync/conflicts")).body.hits.total).toBe(2);

  const { page, context, faults } = await openWindow(browser, replica, { path: "/sync" });
  const main = page.getByRole("main");
  for (const title of ["Annotation collection", "Data paper", "Data collector", "Project manager"])
    await expect(main).toContainText(title);
  await page.goto(`${replica.url}/uploads/${id}`);
  await expect(main).toContainText("Annotation collection");
  await expect(main).not.toContainText("annotationcollection");

  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});

test("refused work on a file that was removed elsewhere names the file, its comparison names no ids, and a conflict about a person names the person (issue 17)", async ({
  browser,
}) => {
  const desk = await Desk.open();
  const karin = await desk.person("karin", "Karin Lindqvist");
  const replica = await desk.replica(karin);
  const near = new HttpClient(replica.url, replica.guard.secret);
  const id = await givenSample(karin.server, 1, { isPublished: false });
  const file = fileOf(id, "core.jpg");
  await addFile(karin.server, id, "core.jpg", "a picture");
  await near.post("/api/sync/run");
  await expect.poll(async () => (await near.get(file)).body.status).toBe("completed");
  await near.post("/api/sync/pause");
  expect((await near.put(file, { metadata: { caption: "Core" } })).status).toBe(200);
  const path = `/api/records/${id}/draft`;
  const { metadata } = (await near.get(path)).body;
  const withRole = (role: string) => ({
    metadata: { ...metadata, creators: metadata.creators.map((one: object) => ({ ...one, role: { id: role } })) },
  });
  expect((await near.put(path, withRole("datacollector"))).status).toBe(200);
  expect((await karin.server.put(path, withRole("projectmanager"))).status).toBe(200);
  expect((await karin.server.delete(file)).status).toBe(204);
  await near.post("/api/sync/resume");
  await expect.poll(async () => (await near.get("/api/sync/tray")).body.hits.total).toBe(1);

  const { page, context, faults } = await openWindow(browser, replica, { path: "/sync" });
  const main = page.getByRole("main");
  await expect(
    main.getByText("The file was removed from the draft meanwhile, so nothing is left to send."),
  ).toBeVisible();
  await expect(main.getByRole("button", { name: "Retry" })).toHaveCount(0);
  for (const name of ["Okonkwo, Adaeze", "Lindqvist, Karin"])
    await expect(main.getByText(`Creators, ${name}, Role was changed in two places`)).toBeVisible();
  await page.getByRole("button", { name: "Compare" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(/Data .*collector/);
  await expect(dialog).not.toContainText("datacollector");
  await page.goto(`${replica.url}/uploads/${id}`);
  await expect(main).toContainText("(Lindqvist, Karin, Role)");

  expect(faults).toEqual([]);
  await context.close();
  await desk.close();
});
