/** How a client is named in reports and on the console, the same at both ends. */

/** The first characters of a client's id. They tell clients apart, and do not suffice to act as the client. */
export function shownClient(id: string): string {
  return id.slice(0, 8);
}
