/** Makes anchors as GitHub does, so that a link to a section works in the repository and in the site. */

/** @param heading - without the `#` at its start */
export function slugify(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}
