/**
 * Computes the time of a call over a WebSocket on other networks, from the measurement on this machine.
 * It assumes that
 *
 * - a call takes a round trip, the time of its bytes on the wire, and its time on this machine;
 * - a new connection takes a round trip each for TCP, TLS 1.3 and the upgrade, with their bytes;
 * - a message is a TLS record in packets of 1 500 bytes;
 * - the link has its full bandwidth at once and loses nothing. Real large messages take longer.
 */
import { toText } from './tables.ts';

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

/** The number of frames, and their payload without headers. */
interface Load {
  frames: number;
  bytes: number;
}

/** One call as measured. Calls that share a frame count as fractions of it. */
export interface Exchange {
  up: Load;
  down: Load;
  /** The time of the call on loopback, in milliseconds. */
  processing: number;
}

/** The times of a call, in milliseconds. `saved` is the time that a call saves if the connection is open already. */
export interface Projection {
  link: Link;
  warm: number;
  fresh: number;
  saved: number;
}

/** The bytes of IP and TCP headers, and the bytes that remain in a packet of 1 500. */
const PACKET_HEADER = 52;
const PACKET = 1_448;
const TLS_RECORD = 22;
/** Typical bytes up and down of a TLS handshake. The next constant has the bytes of an upgrade's headers. */
const TLS = [600, 3_000] as const;
const UPGRADE = [500, 250] as const;

export function projectionsOf({ up, down, processing }: Exchange, on = links): Projection[] {
  // A short frame has a header of two bytes, and four of mask from a client.
  const bytes = [onWire(up, 6), onWire(down, 2)] as const;
  return on.map((link) => {
    const warm = link.roundTrip + transfer(link, ...bytes) + processing;
    const saved = 3 * link.roundTrip + transfer(link, ...TLS) + transfer(link, ...UPGRADE);
    return { link, warm, fresh: warm + saved, saved };
  });
}

function onWire({ frames, bytes }: Load, header: number): number {
  if (frames === 0) return 0;
  const message = bytes / frames + header + TLS_RECORD;
  return frames * (message + Math.ceil(message / PACKET) * PACKET_HEADER);
}

/** Returns a time in milliseconds: a megabit a second is 125 bytes a millisecond. */
function transfer({ up, down }: Link, bytesUp: number, bytesDown: number): number {
  return bytesUp / (up * 125) + bytesDown / (down * 125);
}

export function formatProjections(projections: readonly Projection[]): string {
  const rows = projections.map(({ link: { name, roundTrip, up, down }, warm, fresh, saved }) => [
    `  ${name}`,
    ...[warm, fresh, saved, roundTrip].map((time) => `${time.toFixed(1)} ms`),
    `${up}`,
    `${down}`,
  ]);
  const times = ['open connection', 'new connection', 'connecting alone'];
  return toText([['  network', ...times, 'its round trip', 'Mbit/s up', 'down'], ...rows]);
}
