/** The stored form of answers: their texts, and the bytes that follow the texts. */
import { concatenated, Packet, type Said } from '../../wire/bytes.ts';

export interface StoredAnswers {
  /**
   * One line for each answer; JSON has no line breaks. If the call's id is one more than the id in the line
   * before, the line omits the bracket and the id. A row of a hundred small answers then fits on one page of
   * the database.
   */
  answers: string;
  /**
   * The bytes of all answers, one after the other; left out if there are none. The texts contain their
   * lengths.
   */
  bytes?: ArrayBuffer;
}

/** Matches the lengths of an answer's bytes. */
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

/** The beginning of an answer's text. */
function headOf(id: number): string {
  return `[${id}`;
}
