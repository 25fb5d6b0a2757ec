/**
 * Judges a run from what clients saw and what the object took down, and from nothing else. Each call
 * has a token of its own, so every one is judged by itself. Pure functions; imports nothing.
 */

/** What a client saw of one call. */
export interface CallEvidence {
  /** Its name, which nobody else can guess. */
  token: string;
  /** Whether its method runs in several turns, or takes the result of one that does. */
  late: boolean;
  /** On the clock that all processes share, in milliseconds; no end while it is pending. */
  begun: number;
  ended?: number;
  /** What it answered; a checksum where that was bytes, NaN where it cannot be right. */
  value?: number;
  /** Of its rejection: the error's code, or all that it says when it has none. */
  code?: string;
  maybeExecuted?: boolean;
}

/** What the object took down of one call. */
export interface RunRecord {
  /** Counts up. */
  row: number;
  token: string;
  /** How often its method began, and how often it came to its end. */
  begun: number;
  ended: number;
  /** What it answered. */
  value: number | null;
}

export interface Verdict {
  calls: number;
  /** Calls whose methods the object has begun. */
  executed: number;
  /** Rejections by code, but for those that count as interrupted. */
  errors: Record<string, number>;
  /** Late calls that were told that the object was stopped in them. */
  interrupted: number;
  /** Answered calls that the object did not execute to the end. */
  lost: number;
  /** Answered calls whose answer is not the one that the object gave. */
  wrong: number;
  /** Executions for which there is no call, or that a call had beyond its first. */
  doubled: number;
  /** Calls that were neither answered nor rejected. */
  unsettled: number;
}

/** @param record - the object's, read by a client of its own after every call has ended */
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
  // What is left belongs to no call.
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
    // Who is told that it did not run may call again.
    if (!call.maybeExecuted) verdict.doubled += Math.min(1, begun);
    const isInterrupted = call.late && call.code === 'DISCONNECTED' && call.maybeExecuted;
    if (isInterrupted) verdict.interrupted++;
    else verdict.errors[call.code] = (verdict.errors[call.code] ?? 0) + 1;
  }
}

export function isAnswered(call: CallEvidence): boolean {
  return call.value !== undefined;
}

/** How long each answered call took, in milliseconds. */
export function durations(calls: readonly CallEvidence[]): number[] {
  return calls.filter(isAnswered).map(({ begun, ended = begun }) => ended - begun);
}

/** When each was answered, ascending. */
export function answerTimes(calls: readonly CallEvidence[]): number[] {
  return calls
    .filter(isAnswered)
    .map(({ begun, ended = begun }) => ended)
    .toSorted((one, other) => one - other);
}

/** For so long after a fault, in milliseconds, answers still come that were under way. */
const UNDERWAY = 250;

/**
 * How long clients had to wait after each fault: to the end of the silence that began around it.
 *
 * @param faults - when they happened, ascending
 * @param answeredAt - when those whom they hit heard something, ascending
 * @returns milliseconds for each fault after which an answer came
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
