/** The name of a client in reports and on the console. Client and object use the same name. */

/** Returns the first characters of a client's id. They tell clients apart, and do not suffice to act as the client. */
export function shownClient(id: string): string {
  return id.slice(0, 8);
}
