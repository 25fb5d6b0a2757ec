/**
 * Answers as they are stored: their texts, and the bytes beside them as they are. Imports wire/.
 */
import { buffersOf, concatenated, Packet, type Said } from '../wire/bytes.ts';

export interface StoredAnswers {
  /** The texts, joined by line breaks; JSON has none. */
  answers: string;
  /** The bytes that the texts tell the lengths of, one after the other; left out when there are none. */
  bytes?: ArrayBuffer;
}

/** What tells the lengths of an answer's bytes. */
const LENGTHS = /^\["bytes",([\d,]+)\],/;

export function storeAnswers(said: readonly Said[]): StoredAnswers {
  const answers = said.join('\n');
  const buffers = buffersOf(said);
  return buffers.length > 0 ? { answers, bytes: concatenated(buffers).buffer } : { answers };
}

/** @returns each answer with the id of its call */
export function loadAnswers({ answers, bytes }: StoredAnswers): [id: number, answer: Said][] {
  if (answers === '') return [];
  let start = 0;
  return answers.split('\n').map((text) => {
    const [told = '', lengths = ''] = LENGTHS.exec(text) ?? [];
    // After that an answer begins with `[` and its id.
    const id = Number.parseInt(text.slice(told.length + 1));
    if (!bytes || told === '') return [id, text];
    const buffers = lengths.split(',').map((length) => {
      const buffer = new Uint8Array(bytes, start, Number(length));
      start += buffer.length;
      return buffer;
    });
    return [id, new Packet(text, buffers)];
  });
}
