/** What `onCall` is told of calls. Imports wire/. */
import { readSaid, type Said } from '../wire/bytes.ts';
import { RpcError } from '../wire/errors.ts';
import { type AnswerMessage, decodeAnswer, type Frame } from '../wire/messages.ts';
import { isThenable } from '../wire/tags.ts';

/** One call, after it: how long it took, how it ended, and how much was sent. */
export interface CallReport {
  /** The method's name, of the object or of a capability; empty for a method that the contract does not list. */
  method: string;
  /**
   * Milliseconds from the arrival of the call to its answer. On Cloudflare the clock does not advance while code runs,
   * so a method without `await` takes 0.
   */
  duration: number;
  /** `ok`; or the `code` of an `RpcError`, such as `INVALID_ARGUMENTS`; or the name of any other error. */
  outcome: string;
  /** The size of the frame that the call came in, divided by the calls in it. Not given for a subscription. */
  bytesIn?: number;
  /** The size of the answer. Not given for a subscription. */
  bytesOut?: number;
}

/** As much of a compiled contract as is needed here. */
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

  /** @param bytesIn - of each call */
  constructor(contract: Reporting, bytesIn: number) {
    this.#contract = contract;
    this.#bytesIn = bytesIn;
  }

  answered([id, callee]: readonly unknown[], answer: Said): void {
    const hasFailed = typeof answer === 'string' && answer.startsWith(`[${id},"error",`);
    report(this.#contract, callee, this.#start, hasFailed ? failureOf(answer) : 'ok', {
      bytesIn: this.#bytesIn,
      bytesOut: sizeOf(answer),
    });
  }
}

/**
 * @param callee - as it came, and so it may be anything
 * @param start - by `performance.now()`
 */
export function report(
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
    const told: unknown = onCall({
      method: methodName(callee, contract),
      duration,
      outcome,
      ...sizes,
    });
    if (isThenable(told)) void told.then(undefined, complain);
  } catch (error) {
    complain(error);
  }
}

/** @returns the outcome that an error is */
export function outcomeOf(thrown: unknown): string {
  if (thrown instanceof RpcError) return thrown.code;
  return thrown instanceof Error ? thrown.name : 'Error';
}

/** @returns how many bytes are sent for it */
export function sizeOf(sent: Frame | Said): number {
  if (sent instanceof ArrayBuffer) return sent.byteLength;
  const text = `${sent}`;
  return sent.length - text.length + new TextEncoder().encode(text).length;
}

function failureOf(answer: string): string {
  const [said] = readSaid(answer);
  const decoded = decodeAnswer(said as AnswerMessage, () => undefined);
  return outcomeOf('thrown' in decoded ? decoded.thrown : undefined);
}

/** Only what the contract lists, so that no client can make up names without end. */
function methodName(callee: unknown, { methods, capabilities }: Reporting): string {
  if (typeof callee === 'string') return methods.has(callee) ? callee : '';
  const [name] = Array.isArray(callee) ? (callee as unknown[]) : [];
  const classes = [...capabilities.values()];
  return typeof name === 'string' && classes.some((one) => one.methods.has(name)) ? name : '';
}

function complain(error: unknown): void {
  console.error(error);
}
