/** Says on the console how to allow the origin of a page that was rejected. */

/** Rejected origins that the console has shown. */
const reported = new Set<string>();

/** The maximum number of origins that the console shows. Anybody can invent more origins. */
const MAX_REPORTED = 100;

export function reportOrigin(origin: string): void {
  if (reported.has(origin) || reported.size >= MAX_REPORTED) return;
  reported.add(origin);
  console.warn(
    `Origin ${origin} is not allowed. To allow it: routeDORequest(…, { cors: { origin: ['${origin}'] } })`,
  );
}
