/**
 * Prints what goes over a connection, the same at both ends: each frame, each call with its outcome and its duration,
 * and the messages of subscriptions and callbacks. Only debug output imports this file, so other bundles contain
 * nothing of it.
 */
import { splitFrame, readAnyFrame } from '../../../wire/bytes.ts';
import {
  type AnswerMessage,
  type Callee,
  type CallMessage,
  decodeAnswer,
  type Frame,
  HEARTBEAT,
  isId,
} from '../../../wire/messages.ts';
import { decodeRich } from '../../../wire/values/rich-decoder.ts';
import { CALL, type Reference } from '../../../wire/values/rich-encoder.ts';
import { truncate, formatValue, formatValues } from './format-value.ts';

/** A call that has no answer yet. */
interface OpenCall {
  text: string;
  start: number;
}

/** Prints what goes over one connection. */
export class FrameLog {
  readonly #name: string;
  readonly #calls = new Map<unknown, OpenCall>();
  /** The subscribed calls as text, by the number of the subscription. */
  readonly #subscriptions = new Map<unknown, string>();

  /** @param name - before every line */
  constructor(name: string) {
    this.#name = name;
  }

  /** A frame from the client to the object. */
  up(frame: Frame): void {
    this.#print('up', frame);
    const start = performance.now();
    for (const message of messagesOf(frame)) {
      const [id, ...rest] = message;
      if (isId(id)) this.#calls.set(id, { text: callText(message as CallMessage), start });
      else if (id === 'cancel') for (const cancelled of rest) this.#calls.delete(cancelled);
      else if (id === 'subscribe') {
        const [n, , ...call] = rest;
        this.#subscriptions.set(n, callText([n, ...call] as CallMessage));
      } else if (id === 'unsubscribe') this.#subscriptions.delete(rest[0]);
      else if (id === 'return' && isId(rest[0])) this.#end(rest[0], answerText(rest), '#k');
    }
  }

  /** A frame from the object to the client. */
  down(frame: Frame): void {
    for (const message of messagesOf(frame)) {
      const [id, thrown] = message;
      if (isId(id)) this.#end(id, answerText(message));
      else if (id === 'error')
        this.note(`refused: ${readable(() => formatValue(decodeRich(thrown)))}`);
      else if (id === 'call' && isId(message[1])) {
        const text = callbackText(message.slice(2));
        this.#calls.set(`#k${message[1]}`, { text, start: performance.now() });
      } else this.#news(message);
    }
    this.#print('down', frame);
  }

  note(text: string): void {
    console.log(`${this.#name} ${text}`);
  }

  /** Forgets the calls without an answer. Those that are sent again are logged again. */
  clear(): void {
    this.#calls.clear();
  }

  /** @param kind - `#` for a call of the client, `#k` for one of a callback */
  #end(id: number, outcome: string, kind = '#'): void {
    const key = kind === '#' ? id : kind + id;
    const call = this.#calls.get(key);
    this.#calls.delete(key);
    const time = call ? ` in ${(performance.now() - call.start).toFixed(1)} ms` : '';
    this.note(`${kind}${id} ${call?.text ?? 'a call'} ${outcome}${time}`);
  }

  /** Prints a message about a subscription. */
  #news([kind, n, ...rest]: unknown[]): void {
    const news = readable(() => newsText(kind, rest));
    if (!isId(n) || !news) return;
    this.note(`#s${n} ${this.#subscriptions.get(n) ?? 'a subscription'} ${news}`);
    if (kind === 'complete') this.#subscriptions.delete(n);
  }

  #print(direction: string, frame: Frame): void {
    if (frame === HEARTBEAT) return;
    if (typeof frame === 'string') {
      const { length } = new TextEncoder().encode(frame);
      return this.note(`${direction} ${length} bytes ${truncate(frame)}`);
    }
    const { text, start } = splitFrame(frame) ?? { text: '', start: 0 };
    const beside = `and ${frame.byteLength - start} beside the text`;
    this.note(`${direction} ${frame.byteLength} bytes ${truncate(text)} ${beside}`);
  }
}

/** The messages of a frame; empty for a frame that cannot be read, which its receiver reports. */
function messagesOf(frame: Frame): unknown[][] {
  return readAnyFrame(frame) ?? [];
}

function callText([, callee, form, list]: CallMessage): string {
  return readable(() => {
    const args = list === undefined ? (form ?? []) : decodeRich(list, referenceName);
    return `${calleeText(callee)}(${formatValues(args as unknown[])})`;
  });
}

/** @param parts - the number of the function, and its arguments as an answer has its result */
function callbackText(parts: unknown[]): string {
  return readable(() => {
    const args = decodeAnswer(parts as AnswerMessage, referenceName) as { result?: unknown[] };
    return `callback ${formatValue(parts[0])}(${formatValues(args.result ?? [])})`;
  });
}

/** Names a callee; a capability by its class only, because its number and its address are a secret. */
function calleeText(callee: Callee): string {
  if (typeof callee === 'string') return truncate(callee);
  const [method, target, ...path] = callee;
  const on = typeof target === 'string' ? target : [`#${target}`, ...path].join('.');
  return truncate(`${on}.${method}`);
}

/**
 * What stands for a reference: for another call's result its number and the way to the part that is
 * taken, for a capability its class.
 */
function referenceName([kind, first, ...path]: Reference): symbol {
  return Symbol(kind === CALL ? [`#${first}`, ...path].join('.') : `${kind} ${first}`);
}

/** @returns an empty text for what is no message about a subscription */
function newsText(kind: unknown, parts: unknown[]): string {
  const [first, ...rest] = parts;
  if (kind === 'subscribed') {
    const after = typeof first === 'string' ? ` after ${truncate(first)}` : '';
    // The window comes before the snapshot.
    return `subscribed${after}${rest.length > 1 ? ` ${answerText(rest)}` : ''}`;
  }
  if (kind === 'next') return `event ${formatValue(first)} ${answerText(parts)}`;
  if (kind === 'value') return answerText([kind, ...parts]);
  if (kind === 'patch') return patchText(parts);
  if (kind === 'complete') return parts.length === 0 ? 'ended' : answerText([kind, ...parts]);
  return '';
}

/** Says how many rows a patch has. The rows can contain the numbers of capabilities, which are secrets. */
function patchText([number, parts]: unknown[]): string {
  const rows = [parts].flat(1).filter((part) => typeof part !== 'number').length;
  return number === 0 ? `all rows: ${rows}` : `patch ${formatValue(number)}, new rows: ${rows}`;
}

/** @param message - an answer, whatever it begins with */
function answerText(message: unknown[]): string {
  return readable(() => {
    const answer = decodeAnswer(message as AnswerMessage, referenceName);
    return 'thrown' in answer
      ? `threw ${formatValue(answer.thrown)}`
      : `= ${formatValue(answer.result)}`;
  });
}

/** A received message can contain anything. An error while it is printed must not affect how it is handled. */
function readable(write: () => string): string {
  try {
    return write();
  } catch (error) {
    return `unreadable: ${formatValue(error)}`;
  }
}
