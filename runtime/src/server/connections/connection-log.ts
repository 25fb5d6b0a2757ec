/** Reports the frames of a connection to debug output. */
import type { PeerLog } from '../contract/options.ts';
import type { Frame } from '../../wire/messages.ts';

/** Creates a log that cannot disturb the connection: its errors are only printed to the console. */
export function guardedLog(make: () => PeerLog): PeerLog {
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
