/** Reports calls to `onCall`. */
import { readEncoded, type EncodedMessage } from '../../wire/encoded-message.ts';
import { RpcError } from '../../wire/errors.ts';
import { type AnswerMessage, decodeAnswer, type Frame } from '../../wire/messages.ts';
import type { CallReport } from '../contract/options.ts';
import { isThenable } from '../../wire/values/tags.ts';

/** The part of a compiled contract that is needed here. */
interface Reporting {
  readonly onCall: ((call: CallReport) => void) | undefined;
  readonly methods: ReadonlyMap<string, unknown>;
  readonly capabilities: ReadonlyMap<string, { readonly methods: ReadonlyMap<string, unknown> }>;
}

/** Reports the calls of one frame. */
export class CallReports {
  readonly #contract: Reporting;
  readonly #bytesIn: number;
  readonly #start = performance.now();

  /** @param bytesIn - the size of each call in bytes */
  constructor(contract: Reporting, bytesIn: number) {
    this.#contract = contract;
    this.#bytesIn = bytesIn;
  }

  answered([id, callee]: readonly unknown[], answer: EncodedMessage): void {
    const hasFailed = typeof answer === 'string' && answer.startsWith(`[${id},"error",`);
    reportCall(this.#contract, callee, this.#start, hasFailed ? failureOf(answer) : 'ok', {
      bytesIn: this.#bytesIn,
      bytesOut: byteLengthOf(answer),
    });
  }
}

/**
 * Reports a call that has ended.
 *
 * @param callee - as received, so it can be any value
 * @param start - when the call arrived, in the time of `performance.now()`
 */
export function reportCall(
  contract: Reporting,
  callee: unknown,
  start: number,
  outcome: string,
  sizes?: Pick<CallReport, 'bytesIn' | 'bytesOut'>,
): void {
  const { onCall } = contract;
  if (!onCall) return;
  const duration = performance.now() - start;
  try {
    const result: unknown = onCall({
      method: methodName(callee, contract),
      duration,
      outcome,
      ...sizes,
    });
    if (isThenable(result)) void result.then(undefined, complain);
  } catch (error) {
    complain(error);
  }
}

/** @returns the outcome of a call that threw a value */
export function outcomeOf(thrown: unknown): string {
  if (thrown instanceof RpcError) return thrown.code;
  return thrown instanceof Error ? thrown.name : 'Error';
}

/** @returns the size in bytes */
export function byteLengthOf(sent: Frame | EncodedMessage): number {
  if (sent instanceof ArrayBuffer) return sent.byteLength;
  const text = `${sent}`;
  return sent.length - text.length + new TextEncoder().encode(text).length;
}

function failureOf(answer: string): string {
  const [message] = readEncoded(answer);
  const decoded = decodeAnswer(message as AnswerMessage, () => undefined);
  return outcomeOf('thrown' in decoded ? decoded.thrown : undefined);
}

/** Returns only names that the contract lists, so that a client cannot report any number of names. */
function methodName(callee: unknown, { methods, capabilities }: Reporting): string {
  if (typeof callee === 'string') return methods.has(callee) ? callee : '';
  const [name] = Array.isArray(callee) ? (callee as unknown[]) : [];
  const classes = [...capabilities.values()];
  return typeof name === 'string' && classes.some((one) => one.methods.has(name)) ? name : '';
}

function complain(error: unknown): void {
  console.error(error);
}
