/**
 * Judges a run by the evidence of the clients and the records of the object, and by nothing else. Each call
 * has a token of its own, so each call is judged by itself.
 */

/** Milliseconds on the monotonic clock, which all processes share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The evidence of a client for one call. */
export interface CallEvidence {
  /** A unique name of the call. */
  token: string;
  /** Whether its method runs in several turns, or takes the result of such a method. */
  late: boolean;
  /** Milliseconds on the clock that all processes share. `ended` is undefined while the call is pending. */
  begun: number;
  ended?: number;
  /** The answer: a checksum if it was bytes, NaN if it cannot be right. */
  value?: number;
  /** The code of the error, or its text if it has no code. */
  code?: string;
  maybeExecuted?: boolean;
}

/** The record of the object for one call. */
export interface RunRecord {
  /** Number of the record, ascending. */
  row: number;
  token: string;
  /** How often the method began, and how often it ended. */
  begun: number;
  ended: number;
  /** The answer. */
  value: number | null;
}

export interface Verdict {
  calls: number;
  /** Calls whose methods the object has begun. */
  executed: number;
  /** Rejections by code, except those that count as interrupted. */
  errors: Record<string, number>;
  /** Late calls that rejected because the object was stopped while they ran. */
  interrupted: number;
  /** Answered calls that the object did not execute to the end. */
  lost: number;
  /** Answered calls whose answer differs from the object's record. */
  wrong: number;
  /** Executions without a call, and executions of a call after its first. */
  doubled: number;
  /** Calls that were neither answered nor rejected. */
  unsettled: number;
}

/** @param record - the object's records, which another client reads after every call has ended */
export function judge(calls: readonly CallEvidence[], record: readonly RunRecord[]): Verdict {
  const runs = new Map(record.map((run) => [run.token, run]));
  const verdict: Verdict = {
    calls: calls.length,
    executed: runs.size,
    errors: {},
    interrupted: 0,
    lost: 0,
    wrong: 0,
    doubled: 0,
    unsettled: 0,
  };
  for (const call of calls) {
    judgeCall(call, runs.get(call.token), verdict);
    runs.delete(call.token);
  }
  // The records that are left belong to no call.
  verdict.doubled += runs.size;
  return verdict;
}

function judgeCall(call: CallEvidence, run: RunRecord | undefined, verdict: Verdict): void {
  const begun = run?.begun ?? 0;
  verdict.doubled += Math.max(0, begun - 1);
  if (isAnswered(call)) {
    if (!run?.ended) verdict.lost++;
    else if (run.value !== call.value) verdict.wrong++;
  } else if (call.code === undefined) {
    verdict.unsettled++;
  } else {
    // If a client gets an error with `maybeExecuted: false`, it may repeat the call.
    if (!call.maybeExecuted) verdict.doubled += Math.min(1, begun);
    const isInterrupted = call.late && call.code === 'DISCONNECTED' && call.maybeExecuted;
    if (isInterrupted) verdict.interrupted++;
    else verdict.errors[call.code] = (verdict.errors[call.code] ?? 0) + 1;
  }
}

export function isAnswered(call: CallEvidence): boolean {
  return call.value !== undefined;
}

/** Durations of all answered calls, in milliseconds. */
export function durations(calls: readonly CallEvidence[]): number[] {
  return calls.filter(isAnswered).map(({ begun, ended = begun }) => ended - begun);
}

/** Times of all answers, ascending. */
export function answerTimes(calls: readonly CallEvidence[]): number[] {
  return calls
    .filter(isAnswered)
    .map(({ begun, ended = begun }) => ended)
    .toSorted((one, other) => one - other);
}

/** Time after a fault in which answers still arrive that were on their way, in milliseconds. */
const UNDERWAY = 250;

/**
 * How long clients waited after each fault: until the end of the silence that began around the fault.
 *
 * @param faults - times of the faults, ascending
 * @param answeredAt - times at which the affected clients received something, ascending
 * @returns milliseconds for each fault after which an answer arrived
 */
export function recoveries(faults: readonly number[], answeredAt: readonly number[]): number[] {
  return faults.flatMap((fault, index) => {
    const latest = Math.min(fault + UNDERWAY, faults[index + 1] ?? Infinity);
    let longest = { from: 0, to: 0 };
    for (let i = 0; i < answeredAt.length; i++) {
      const from = answeredAt[i - 1] ?? fault;
      const to = answeredAt[i] as number;
      if (to < fault) continue;
      if (from > latest) break;
      if (to - from > longest.to - longest.from) longest = { from, to };
    }
    return longest.to > 0 ? [longest.to - fault] : [];
  });
}
