/**
 * What a call would take on other networks, computed from what was measured on this machine. Pure;
 * imports nothing. It assumes that
 *
 * - a call takes a round trip, the time of its bytes on the wire, and what it took here;
 * - a new connection takes a round trip each for TCP, TLS 1.3 and, if it is a WebSocket, the upgrade,
 *   with their bytes;
 * - a message is a TLS record in packets of 1 500 bytes;
 * - the link gives its bandwidth at once and loses nothing: large messages take longer than this.
 */

/** Round trip in milliseconds; bandwidth from and to the client in megabits a second. */
interface Link {
  name: string;
  roundTrip: number;
  up: number;
  down: number;
}

const links: readonly Link[] = [
  { name: 'datacenter', roundTrip: 1, up: 10_000, down: 10_000 },
  { name: 'broadband', roundTrip: 20, up: 20, down: 100 },
  { name: 'mobile', roundTrip: 70, up: 12, down: 12 },
  { name: 'slow', roundTrip: 400, up: 0.4, down: 0.4 },
];

/** WebSocket frames or HTTP messages, and their payload without headers. */
interface Load {
  frames: number;
  bytes: number;
}

/** One call as measured; of calls that share a frame, their share of it. */
export interface Exchange {
  transport: 'websocket' | 'http';
  up: Load;
  down: Load;
  /** On loopback, in milliseconds. */
  processing: number;
}

/** Times in milliseconds; `saved` is what a call saves that finds a connection open. */
export interface Projection {
  link: Link;
  warm: number;
  fresh: number;
  saved: number;
}

/** Bytes of IP and TCP headers, and what they leave of a packet. */
const PACKET_HEADER = 52;
const PACKET = 1_448;
const TLS_RECORD = 22;
/** Typical bytes up and down: of a TLS handshake, and of the headers of an HTTP request. */
const TLS = [600, 3_000] as const;
const HTTP = [500, 250] as const;

export function project(call: Exchange, on = links): Projection[] {
  const isHttp = call.transport === 'http';
  const up = onWire(call.up, isHttp ? HTTP[0] : 6);
  const down = onWire(call.down, isHttp ? HTTP[1] : 2);
  return on.map((link) => {
    const warm = link.roundTrip + transfer(link, up, down) + call.processing;
    let saved = 2 * link.roundTrip + transfer(link, ...TLS);
    if (!isHttp) saved += link.roundTrip + transfer(link, ...HTTP);
    return { link, warm, fresh: warm + saved, saved };
  });
}

/** @param header - of HTTP, or of a short WebSocket frame: two bytes, and four of mask from a client */
function onWire({ frames, bytes }: Load, header: number): number {
  if (frames === 0) return 0;
  const message = bytes / frames + header + TLS_RECORD;
  return frames * (message + Math.ceil(message / PACKET) * PACKET_HEADER);
}

/** In milliseconds: a megabit a second is 125 bytes a millisecond. */
function transfer({ up, down }: Link, bytesUp: number, bytesDown: number): number {
  return bytesUp / (up * 125) + bytesDown / (down * 125);
}

export function formatProjections(projections: readonly Projection[]): string {
  const row = (name: string, times: string[], link: string): string =>
    `${name.padEnd(12)}${times.map((time) => time.padStart(12)).join('')}    ${link}`;
  const rows = projections.map(({ link: { name, roundTrip, up, down }, warm, fresh, saved }) => {
    const times = [warm, fresh, saved].map((time) => `${time.toFixed(1)} ms`);
    return row(name, times, `${roundTrip} ms, ${up} up, ${down} down`);
  });
  const head = row('connection', ['open', 'new', 'saved'], 'round trip, Mbit/s');
  return [head, ...rows].join('\n');
}
