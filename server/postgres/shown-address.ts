/** An address without its password, which belongs into `PGPASSWORD` or `CARREL_DATABASE`, for files and messages. */
export function withoutPassword(address: string): string {
  const url = new URL(address);
  url.password = "";
  return url.href;
}
