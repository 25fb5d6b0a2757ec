/** Says on the console how to allow the origin of a page that was rejected. */

/** Rejected origins that the console has shown. */
const reported = new Set<string>();

/** How many origins the console shows at most: anybody can invent more. */
const MAX_REPORTED = 100;

export function reportOrigin(origin: string): void {
  if (reported.has(origin) || reported.size >= MAX_REPORTED) return;
  reported.add(origin);
  console.warn(
    `Origin ${origin} is not allowed. To allow it: routeDORequest(…, { cors: { origin: ['${origin}'] } })`,
  );
}
