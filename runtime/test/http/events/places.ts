/** The places of rows: letters beyond ASCII, quotes, a line break, and one that looks like a number. */
export const PLACES = ['"a"', '1', 'a\nb', 'z', 'é', '😀'];
