/**
 * Prints the messages of a connection, in the same form at both ends: each frame, each call with its outcome and its
 * duration, and the messages of subscriptions and callbacks. Only debug output imports this file, so other bundles do not
 * contain it.
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
import { byteLengthOf } from '../../../wire/encoded-message.ts';
import { truncate, formatValue, formatValues } from './format-value.ts';

/** Describes a value that is about to be printed. */
export interface DebugValue {
  /** `frame` is the text of a frame. */
  kind: 'arguments' | 'result' | 'error' | 'event' | 'frame';
  /** The method, as far as it is known; empty for a frame. */
  method: string;
}

/** The options of a log. */
export interface LogOptions {
  /** Prints a line. Default `console.log`. */
  print?: ((line: string) => void) | undefined;
  /** Returns the value to print in place of a value. Default: the value itself. */
  redact?: ((value: unknown, what: DebugValue) => unknown) | undefined;
}

/** A call that has no answer yet. */
interface OpenCall {
  text: string;
  method: string;
  start: number;
}

/** The maximum number of calls and subscriptions that a log remembers. Rejected frames can have any number of calls. */
const MAX_OPEN = 1_000;

/** Prints the messages of one connection. */
export class FrameLog {
  readonly #name: string;
  readonly #write: (line: string) => void;
  readonly #redact: NonNullable<LogOptions['redact']>;
  readonly #calls = new Map<unknown, OpenCall>();
  /** The subscribed calls, by the number of the subscription. */
  readonly #subscriptions = new Map<unknown, OpenCall>();

  /** @param name - a text that begins every line */
  constructor(name: string, { print = console.log, redact = (value) => value }: LogOptions = {}) {
    this.#name = name;
    this.#write = print;
    this.#redact = (value, what) => {
      try {
        return redact(value, what);
      } catch {
        return HIDDEN;
      }
    };
  }

  /** Prints a frame from the client to the object. */
  up(frame: Frame): void {
    this.#print('up', frame);
    for (const message of messagesOf(frame)) {
      const [id, ...rest] = message;
      if (isId(id)) remember(this.#calls, id, this.#called(message as CallMessage));
      else if (id === 'cancel') for (const cancelled of rest) this.#calls.delete(cancelled);
      else if (id === 'subscribe') {
        const [n, , ...call] = rest;
        remember(this.#subscriptions, n, this.#called([n, ...call] as CallMessage));
      } else if (id === 'unsubscribe') this.#subscriptions.delete(rest[0]);
      else if (id === 'return' && isId(rest[0])) this.#end(rest[0], rest, '#k');
    }
  }

  /** Prints a frame from the object to the client. */
  down(frame: Frame): void {
    for (const message of messagesOf(frame)) {
      const [id, thrown] = message;
      if (isId(id)) this.#end(id, message);
      else if (id === 'error')
        this.note(`refused: ${readable(() => this.#thrown(decodeRich(thrown), ''))}`);
      else if (id === 'call' && isId(message[1]))
        remember(this.#calls, `#k${message[1]}`, this.#calledBack(message.slice(2)));
      else this.#news(message);
    }
    this.#print('down', frame);
  }

  note(text: string): void {
    this.#write(`${this.#name} ${text}`);
  }

  /** Forgets the calls without an answer. Calls that are sent again are logged again. */
  clear(): void {
    this.#calls.clear();
  }

  #called([, callee, form, list]: CallMessage): OpenCall {
    const method = readable(() => calleeText(callee));
    const text = readable(() => {
      const args = list === undefined ? (form ?? []) : decodeRich(list, referenceName);
      return `${method}(${this.#values(args as unknown[], method)})`;
    });
    return { text, method, start: performance.now() };
  }

  /** @param parts - the number of the function, and its arguments in the form of the result of an answer */
  #calledBack(parts: unknown[]): OpenCall {
    const method = `callback ${formatValue(parts[0])}`;
    const text = readable(() => {
      const args = decodeAnswer(parts as AnswerMessage, referenceName) as { result?: unknown[] };
      return `${method}(${this.#values(args.result ?? [], method)})`;
    });
    return { text, method, start: performance.now() };
  }

  /** @param kind - `#` for a call of the client, `#k` for a call of a callback */
  #end(id: number, message: unknown[], kind = '#'): void {
    const key = kind === '#' ? id : kind + id;
    const call = this.#calls.get(key);
    this.#calls.delete(key);
    const time = call ? ` in ${(performance.now() - call.start).toFixed(1)} ms` : '';
    const outcome = this.#answer(message, call?.method);
    this.note(`${kind}${id} ${call?.text ?? 'an earlier call'} ${outcome}${time}`);
  }

  /** Prints a message about a subscription. */
  #news([kind, n, ...rest]: unknown[]): void {
    const known = this.#subscriptions.get(n);
    const news = readable(() => this.#newsText(kind, rest, known?.method));
    if (!isId(n) || !news) return;
    this.note(`#s${n} ${known?.text ?? 'an earlier subscription'} ${news}`);
    if (kind === 'complete') this.#subscriptions.delete(n);
  }

  /** @returns an empty text for a message that is not about a subscription */
  #newsText(kind: unknown, parts: unknown[], method: string | undefined): string {
    const [first, ...rest] = parts;
    const answer = (message: unknown[]): string => this.#answer(message, method, 'event');
    if (kind === 'subscribed') {
      const after = typeof first === 'string' ? ` after ${truncate(first)}` : '';
      // The window comes before the snapshot.
      return `subscribed${after}${rest.length > 1 ? ` ${answer(rest)}` : ''}`;
    }
    if (kind === 'next') return `event ${formatValue(first)} ${answer(parts)}`;
    if (kind === 'value') return answer([kind, ...parts]);
    if (kind === 'patch') return patchText(parts);
    if (kind === 'complete') return parts.length === 0 ? 'ended' : answer([kind, ...parts]);
    return '';
  }

  /** @param message - an answer, whatever it begins with */
  #answer(message: unknown[], method = '', kind: 'result' | 'event' = 'result'): string {
    return readable(() => {
      const answer = decodeAnswer(message as AnswerMessage, referenceName);
      if ('thrown' in answer) return `threw ${this.#thrown(answer.thrown, method)}`;
      return `= ${formatValue(this.#redact(answer.result, { kind, method }))}`;
    });
  }

  #thrown(error: unknown, method: string): string {
    return formatValue(this.#redact(error, { kind: 'error', method }));
  }

  #values(args: unknown[], method: string): string {
    if (args.length === 0) return '';
    const shown = this.#redact(args, { kind: 'arguments', method });
    return Array.isArray(shown) ? formatValues(shown) : formatValue(shown);
  }

  #print(direction: string, frame: Frame): void {
    if (frame === HEARTBEAT) return;
    const { text, start } =
      typeof frame === 'string'
        ? { text: frame, start: 0 }
        : (splitFrame(frame) ?? { text: '', start: 0 });
    const shown = this.#redact(text, { kind: 'frame', method: '' });
    const all = typeof shown === 'string' ? ` ${truncate(shown)}` : '';
    if (typeof frame === 'string')
      return this.note(`${direction} ${byteLengthOf(frame)} bytes${all}`);
    const beside = `and ${frame.byteLength - start} beside the text`;
    this.note(`${direction} ${frame.byteLength} bytes${all} ${beside}`);
  }
}

/** Stands for a value that is not shown. */
export const HIDDEN = Symbol('…');

function remember(calls: Map<unknown, OpenCall>, key: unknown, call: OpenCall): void {
  calls.set(key, call);
  const [oldest] = calls.keys();
  if (calls.size > MAX_OPEN) calls.delete(oldest);
}

/** Returns the messages of a frame; an empty list for a frame that cannot be read, which its receiver reports. */
function messagesOf(frame: Frame): unknown[][] {
  return readAnyFrame(frame) ?? [];
}

/** Names a callee. A capability is named only by its class, because its number and its address are a secret. */
function calleeText(callee: Callee): string {
  if (typeof callee === 'string') return truncate(callee);
  const [method, target, ...path] = callee;
  const on = typeof target === 'string' ? target : [`#${target}`, ...path].join('.');
  return truncate(`${on}.${method}`);
}

/**
 * Returns a symbol that stands for a reference. The result of another call is shown by the number of the call and the
 * path to the part that is taken. A capability is shown by its class.
 */
function referenceName([kind, first, ...path]: Reference): symbol {
  return Symbol(kind === CALL ? [`#${first}`, ...path].join('.') : `${kind} ${first}`);
}

/** Says how many rows a patch has. The rows can contain the numbers of capabilities, which are secrets. */
function patchText([number, parts]: unknown[]): string {
  const rows = [parts].flat(1).filter((part) => typeof part !== 'number').length;
  return number === 0 ? `all rows: ${rows}` : `patch ${formatValue(number)}, new rows: ${rows}`;
}

/**
 * Runs a function that writes text. A received message can contain anything, and an error while it is printed must not
 * affect its handling.
 */
function readable(write: () => string): string {
  try {
    return write();
  } catch (error) {
    return `unreadable: ${formatValue(error)}`;
  }
}
