import type { Api } from "./api.ts";
import { until } from "./until.ts";
import type { Walker } from "./walker.ts";

const failed = { attempts: 12, claimed_until: null, last_error: "550 no such user" };

async function walkQueues(walker: Walker, api: Api): Promise<void> {
  const admin = walker.as(await api.as("admin"));
  const payload = JSON.stringify({ account: "changed", userId: await api.idOf("erin") });
  const job = { ...failed, id: "mail-of-erin", kind: "mail-given-up", payload, run_at: api.server.host.now() };
  await api.server.host.db.insertInto("job").values(job).execute();
  for (const queue of ["mail", "dois"]) {
    await admin.get(`/administration/${queue}`);
    await admin.post(`/administration/${queue}/none/actions/retry`);
    await admin.post(`/administration/${queue}/actions/retry`);
  }
  await admin.delete("/administration/mail/mail-of-erin");
}

/** Every call of administrators on the server, for the description of the API. */
export async function walkAdministration(walker: Walker, api: Api): Promise<void> {
  const admin = walker.as(await api.as("admin"));
  const person = `/administration/people/${await api.idOf("erin")}`;
  await admin.get("/administration/people?q=erin&state=active");
  await admin.get(person);
  await admin.post(`${person}/actions/deactivate`);
  await admin.post(`${person}/actions/activate`);
  await admin.post(`${person}/actions/reset-password`);
  const factor = { secret: "x", created: 0, confirmed: 1, last_step: 0 };
  await api.server.host.db
    .insertInto("second_factor")
    .values({ ...factor, user_id: await api.idOf("erin") })
    .execute();
  await admin.post(`${person}/actions/reset-second-factor`);
  await admin.put(`${person}/quota`, { quota_bytes: 5000 });
  await walkQueues(walker, api);
  await admin.put("/administration/backups/schedule", { every_hours: null, keep: 3 });
  await admin.post("/administration/backups");
  await until(async () => {
    const { body } = await admin.get("/administration/backups");
    return body.hits.hits[0]?.state === "done";
  }, "the backup is written");
  await admin.get("/administration/removed-records");
  await admin.get("/administration/overview");
}
