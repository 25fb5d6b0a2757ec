/** The calls of one object in a measurement: where their arguments come from, and the check of their answers. */

/** A call that has not been made yet. */
export interface PreparedCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A call that was answered. */
export interface AnsweredCall extends PreparedCall {
  /** What the method returned. `undefined` if it returns nothing. */
  readonly answer: unknown;
}

/** Checks the answer of one call. It throws, or returns `false`, if the answer is wrong. */
export type CheckAnswer = (call: AnsweredCall) => unknown;

/** Where the arguments of calls come from, and what must be right. */
export interface MeasuredMethods {
  /**
   * Returns the arguments of a call. Over Cap'n Web and the code by hand, they travel as that can send them: by hand, as
   * JSON. Default: no arguments.
   *
   * @param method - the name of the method
   * @param index - how many calls the object has received before, so that each call can have an id of its own
   */
  readonly argumentsOf?: ((method: string, index: number) => readonly unknown[]) | undefined;
  /**
   * Returns the check of an object's answers. It is called once for each object, so that the check can count along.
   * The check receives each call in order. The order of calls that can overtake each other is not known: requests in
   * flight at the same time, and those of several clients. If all of them answer with numbers, these are sorted first. If
   * they return nothing, their order is that of the calls. Other answers of such calls, and all later answers of that
   * object, are not checked. Default: no answer is checked.
   */
  readonly check?: (() => CheckAnswer) | undefined;
  /**
   * Returns the name of an object that is measured, for a class whose names have a form. Each measurement has objects of
   * its own, so the name must contain `id`. Default: `id` alone.
   */
  readonly instance?: ((id: string) => string) | undefined;
}

/** Makes the name of an object that no other measurement has. */
export function instanceName(prefix: string, { instance = (id) => id }: MeasuredMethods): string {
  return instance(`${prefix}-${crypto.randomUUID()}`);
}

/** One object, and its calls so far. */
export class CalledObject {
  readonly #argumentsOf: (method: string, index: number) => readonly unknown[];
  #check: CheckAnswer | undefined;
  #calls = 0;

  constructor({ argumentsOf = () => [], check }: MeasuredMethods) {
    this.#argumentsOf = argumentsOf;
    this.#check = check?.();
  }

  /** Makes the arguments of the next calls, before their time is taken. */
  prepare(methods: readonly string[]): PreparedCall[] {
    return methods.map((method) => ({ method, args: this.#argumentsOf(method, this.#calls++) }));
  }

  /**
   * Checks the answers of calls.
   *
   * @param isOrdered - whether the calls ran in this order
   * @throws Error that names the call with the wrong answer
   */
  check(calls: readonly PreparedCall[], answers: readonly unknown[], isOrdered: boolean): void {
    const check = this.#check;
    if (!check) return;
    const answered = calls.map((call, index) => ({ ...call, answer: answers[index] }));
    if (!isOrdered) {
      if (!canBeOrdered(answered)) {
        this.#check = undefined;
        return;
      }
      answered.sort((one, other) => Number(one.answer) - Number(other.answer) || 0);
    }
    for (const call of answered) {
      let problem: unknown;
      try {
        if (check(call) !== false) continue;
      } catch (error) {
        problem = error;
      }
      throw wrongAnswer(call, problem);
    }
  }
}

/** Whether the order in which calls have run does not matter, or their answers show it. */
function canBeOrdered(calls: readonly AnsweredCall[]): boolean {
  const [type, ...otherTypes] = new Set(calls.map(({ answer }) => typeof answer));
  const [, ...otherMethods] = new Set(calls.map(({ method }) => method));
  return (
    otherTypes.length + otherMethods.length === 0 && (type === 'number' || type === 'undefined')
  );
}

function wrongAnswer({ method, args, answer }: AnsweredCall, problem: unknown): Error {
  const call = `${method}(${args.map(shown).join(', ')}) answered ${shown(answer)}`;
  const reason = problem instanceof Error ? problem.message.replaceAll(/\s+/g, ' ') : problem;
  return new Error(`${call}, which is wrong${reason ? `: ${String(reason)}` : ''}`, {
    cause: problem,
  });
}

function shown(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {}
  const whole = text ?? String(value);
  return whole.length > 60 ? `${whole.slice(0, 60)}…` : whole;
}
