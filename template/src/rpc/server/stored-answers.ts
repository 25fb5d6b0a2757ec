/**
 * Answers as they are stored: their texts, and the bytes beside them as they are. Imports wire/.
 */
import { concatenated, Packet, type Said } from '../wire/bytes.ts';

export interface StoredAnswers {
  /**
   * A line for each; JSON has no line breaks. When its call follows the one of the line before, a line lacks
   * the bracket and the id: a row of a hundred small answers then stays on one page of the database.
   */
  answers: string;
  /** The bytes that the texts tell the lengths of, one after the other; left out when there are none. */
  bytes?: ArrayBuffer;
}

/** What tells the lengths of an answer's bytes. */
const LENGTHS = /^\["bytes",([\d,]+)\],/;

export function storeAnswers(all: ReadonlyMap<number, Said>): StoredAnswers {
  let answers = '';
  let buffers: Uint8Array[] | undefined;
  let last = NaN;
  for (const [id, said] of all) {
    if (answers) answers += '\n';
    if (typeof said === 'string') answers += id === last + 1 ? said.slice(headOf(id).length) : said;
    else {
      answers += said.text;
      buffers ??= [];
      buffers.push(...said.buffers);
    }
    last = id;
  }
  return buffers ? { answers, bytes: concatenated(buffers).buffer } : { answers };
}

/** @returns each answer with the id of its call */
export function loadAnswers({ answers, bytes }: StoredAnswers): [id: number, answer: Said][] {
  if (answers === '') return [];
  let start = 0;
  let last = NaN;
  return answers.split('\n').map((line) => {
    const text = line.startsWith('[') ? line : headOf(last + 1) + line;
    const [told = '', lengths = ''] = LENGTHS.exec(text) ?? [];
    last = Number.parseInt(text.slice(told.length + 1));
    if (!bytes || told === '') return [last, text];
    const buffers = lengths.split(',').map((length) => {
      const buffer = new Uint8Array(bytes, start, Number(length));
      start += buffer.length;
      return buffer;
    });
    return [last, new Packet(text, buffers)];
  });
}

/** What an answer begins with. */
function headOf(id: number): string {
  return `[${id}`;
}
