/** The keys of rows: letters beyond ASCII, quotes, a line break, and a text like a number. */
export const PLACES = ['"a"', '1', 'a\nb', 'z', 'é', '😀'];
