/** What is told of a connection's frames, for debug output. Imports messages. */
import type { Frame } from '../wire/messages.ts';

/** Told of the frames of a connection, for debug output. */
export interface PeerLog {
  /** From the client to the object. */
  up(frame: Frame): void;
  /** From the object to the client. */
  down(frame: Frame): void;
}

/** A log that cannot disturb what it shows: what it throws is reported, and nothing else happens. */
export function harmless(make: () => PeerLog): PeerLog {
  let log: PeerLog | undefined;
  const tell = (direction: keyof PeerLog, frame: Frame): void => {
    try {
      log ??= make();
      log[direction](frame);
    } catch (error) {
      console.error(error);
    }
  };
  return { up: (frame) => tell('up', frame), down: (frame) => tell('down', frame) };
}
