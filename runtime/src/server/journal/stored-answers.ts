/** The stored form of answers: their texts, and the bytes that follow the texts. */
import type { EncodedMessage } from '../../wire/encoded-message.ts';
import { concatenated } from '../../wire/pieces.ts';
import type { FrameCodec } from '../../wire/frame-codec.ts';

export interface StoredAnswers {
  /**
   * The texts of the answers, one in a line, because JSON text has no line breaks. If the call's id is one more than the
   * id in the line before, the line omits the bracket and the id. A row of a hundred small answers then fits on one page
   * of the database.
   */
  answers: string;
  /**
   * The bytes of all answers, one after the other. They are left out if there are none. The texts contain the lengths of
   * the bytes.
   */
  bytes?: ArrayBuffer | undefined;
}

export function storeAnswers(all: Iterable<[id: number, answer: EncodedMessage]>): StoredAnswers {
  let answers = '';
  let buffers: Uint8Array[] | undefined;
  let last = NaN;
  for (const [id, answer] of all) {
    if (answers) answers += '\n';
    if (typeof answer === 'string')
      answers += id === last + 1 ? answer.slice(headOf(id).length) : answer;
    else {
      answers += answer.text;
      buffers ??= [];
      buffers.push(...answer.buffers);
    }
    last = id;
  }
  return buffers ? { answers, bytes: concatenated(buffers).buffer } : { answers };
}

/**
 * @returns each answer with the id of its call. Answers with bytes are left out if the contract no longer uses `bytes`.
 */
export function loadAnswers(
  { answers, bytes }: StoredAnswers,
  frames: FrameCodec,
): [id: number, answer: EncodedMessage][] {
  if (answers === '') return [];
  let start = 0;
  let last = NaN;
  return answers.split('\n').flatMap((line): [number, EncodedMessage][] => {
    const text = line.startsWith('[') ? line : headOf(last + 1) + line;
    const isPacket = text.startsWith('["bytes"');
    last = Number.parseInt(text.slice(isPacket ? text.indexOf(',[') + 2 : 1));
    if (!isPacket) return [[last, text]];
    const packet = bytes && frames.restore(text, bytes, start);
    if (!packet) return [];
    for (const { length } of packet.buffers) start += length;
    return [[last, packet]];
  });
}

/** Returns the beginning of an answer's text. */
function headOf(id: number): string {
  return `[${id}`;
}
