/** The frames that arrive by a socket, past the client: large ones once all their pieces are there. */
import type { Frame } from '../../src/wire/messages.ts';
import { ACK, pieceJoiner, wholeFrame } from '../../src/wire/pieces.ts';

/** The part of a socket of any runtime that is needed here. */
interface Heard {
  binaryType?: string;
  addEventListener(type: 'message', listener: (event: { data: Frame }) => void): void;
  send(message: string): void;
}

export function hear(socket: object, take: (frame: Frame) => void): void {
  (socket as Heard).binaryType = 'arraybuffer';
  const join = pieceJoiner(() => (socket as Heard).send(ACK));
  (socket as Heard).addEventListener('message', ({ data }) => {
    const arrived = join(data);
    if (arrived !== undefined) take(wholeFrame(arrived));
  });
}
