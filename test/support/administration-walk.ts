import type { Api } from "./api.ts";
import type { Walker } from "./walker.ts";

/** Every call of administrators on the server, for the description of the API. */
export async function walkAdministration(walker: Walker, api: Api): Promise<void> {
  const admin = walker.as(await api.as("admin"));
  const person = `/administration/people/${await api.idOf("erin")}`;
  await admin.get("/administration/people?q=erin&state=active");
  await admin.get(person);
  await admin.post(`${person}/actions/deactivate`);
  await admin.post(`${person}/actions/activate`);
  await admin.post(`${person}/actions/reset-password`);
  await admin.put(`${person}/quota`, { quota_bytes: 5000 });
}
