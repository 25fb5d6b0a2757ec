/**
 * Judges a run only by the evidence of the clients and the records of the object. Each call has a token, so it is judged
 * by itself.
 */

/** Returns the milliseconds on the monotonic clock, which all processes share. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The evidence of a client for one call. */
export interface CallEvidence {
  /** A unique name of the call. */
  token: string;
  /** True if the method runs in several turns, or takes the result of such a method. */
  late: boolean;
  /** The times in milliseconds on the shared clock. `ended` is undefined while the call is pending. */
  begun: number;
  ended?: number;
  /** The answer: a checksum for bytes, and NaN for an answer that cannot be right. */
  value?: number;
  /** The code of the error, or its text if it has no code. */
  code?: string;
  maybeExecuted?: boolean;
}

/** The record of the object for one call. */
export interface RunRecord {
  /** The number of the record, ascending. */
  row: number;
  token: string;
  /** The number of times that the method began, and that it ended. */
  begun: number;
  ended: number;
  /** The answer. */
  value: number | null;
}

export interface Verdict {
  calls: number;
  /** The number of calls whose methods the object has begun. */
  executed: number;
  /** The numbers of rejections by code, without the interrupted calls. */
  errors: Record<string, number>;
  /** The number of late calls that rejected because the object was stopped while they ran. */
  interrupted: number;
  /** The number of answered calls that the object did not execute to the end. */
  lost: number;
  /** The number of answered calls whose answer differs from the object's record. */
  wrong: number;
  /** The number of executions without a call, and of executions of a call after its first. */
  doubled: number;
  /** The number of calls that were neither answered nor rejected. */
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
  // The remaining records belong to no call.
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

/** Returns the durations of all answered calls, in milliseconds. */
export function durations(calls: readonly CallEvidence[]): number[] {
  return calls.filter(isAnswered).map(({ begun, ended = begun }) => ended - begun);
}

/** Returns the times of all answers, ascending. */
export function answerTimes(calls: readonly CallEvidence[]): number[] {
  return calls
    .filter(isAnswered)
    .map(({ begun, ended = begun }) => ended)
    .toSorted((one, other) => one - other);
}

/** The milliseconds after a fault in which answers may still arrive that were on their way. */
const UNDERWAY = 250;

/**
 * Returns how long clients waited after each fault, until the end of the silence that began around the fault.
 *
 * @param faults - the times of the faults, ascending
 * @param answeredAt - the times at which the affected clients received data, ascending
 * @returns the milliseconds for each fault after which an answer arrived
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
