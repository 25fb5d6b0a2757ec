/** The calls of one object in a measurement. Makes their arguments, and checks their answers. */

/** A call that has not been made yet. */
export interface PreparedCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** A call that was answered. */
export interface AnsweredCall extends PreparedCall {
  /** The return value of the method; `undefined` if it returns nothing. */
  readonly answer: unknown;
}

/** Checks the answer of one call. It throws, or returns `false`, if the answer is wrong. */
export type CheckAnswer = (call: AnsweredCall) => unknown;

/** The arguments of the calls, and the checks of their answers. */
export interface MeasuredMethods {
  /**
   * Returns the arguments of a call. Cap'n Web and the code by hand send the arguments in their own form: the code by
   * hand sends JSON. Default: no arguments.
   *
   * @param method - the name of the method
   * @param index - how many calls the object has received before, so that each call can have an id of its own
   */
  readonly argumentsOf?: ((method: string, index: number) => readonly unknown[]) | undefined;
  /**
   * Returns the check of an object's answers. This function is called once for each object, so that the check can count
   * the calls. The check receives each call in order. The order is not known for requests in flight at the same time,
   * and for calls of several clients. If all of these calls return numbers, the calls are sorted by the numbers. If
   * they return nothing, they are checked in the order in which they were sent. Otherwise these calls, and all later
   * calls of the object, are not checked. Default: no answer is checked.
   */
  readonly check?: (() => CheckAnswer) | undefined;
  /**
   * Returns the name of an object that is measured, for a class that accepts only certain names. Each measurement has
   * objects of its own, so the name must contain `id`. Default: `id` alone.
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

/** Returns whether the order in which calls have run does not matter, or whether the answers show the order. */
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
