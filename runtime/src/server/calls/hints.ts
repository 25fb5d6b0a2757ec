/** What to do instead of sending a value that cannot be sent, in development. */

/** Hints, by patterns of the encoder's messages. */
const HINTS: [RegExp, string][] = [
  [/send its body$/, ' as the stream that the method returns, or send its text: await it.text()'],
  [
    /an instance of (ReadableStream|\w*Generator) /,
    ': return the stream itself, from a method that the contract lists by stream([…]), or collect its items in an array',
  ],
  // The class of `feed.ts`.
  [
    /an instance of FeedOfObject /,
    ': return the feed itself, from a method that the contract lists by events([…])',
  ],
];

/** What to add to a message of the encoder. */
export function hintOn(message: string): string | undefined {
  return HINTS.find(([pattern]) => pattern.test(message))?.[1];
}
