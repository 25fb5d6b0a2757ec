/** Keeps the answers of calls for other calls of the client that take the results as arguments. */
import { type EncodedMessage, readEncoded } from '../../wire/encoded-message.ts';
import { badMessage } from '../base/rejection.ts';
import {
  isId,
  isString,
  type AnswerMessage,
  decodeAnswer,
  referencedCallIds,
  type CallMessage,
} from '../../wire/messages.ts';
import { readPath } from '../../wire/values/paths.ts';
import type { Resolve } from '../../wire/values/rich-decoder.ts';
import { CALL } from '../../wire/values/rich-encoder.ts';

/** An answer, or a promise of it while the call is running. */
type Answer = EncodedMessage | Promise<EncodedMessage>;

export class PipelinedResults {
  /** Answers by call id: the answers of this frame, and earlier answers that have been looked up. */
  readonly #answers = new Map<number, Answer>();
  readonly #earlier: (id: number) => Answer | undefined;

  /** @param earlier - returns the answer of a call of an earlier frame, if it is still known */
  constructor(earlier: (id: number) => Answer | undefined) {
    this.#earlier = earlier;
  }

  add(id: number, answer: Answer): void {
    this.#answers.set(id, answer);
  }

  /**
   * @returns whether the result of one of the call's inputs is no longer known
   * @throws RpcError `BAD_MESSAGE` for an input that is not a call before this call
   */
  isMissing(message: CallMessage): boolean {
    const [id] = message;
    for (const input of referencedCallIds(message)) {
      if (!isId(input) || input >= id) {
        const problem = `Call ${id} uses the result of call ${input}, which is not before it in the frame`;
        badMessage(problem);
      }
      const answer = this.#answers.get(input) ?? this.#earlier(input);
      if (answer === undefined) return true;
      this.add(input, answer);
    }
    return false;
  }

  /**
   * Waits for the inputs of a call that are still running.
   *
   * @returns a promise that resolves when all have ended, with a result or an error; `undefined` if all have
   *   ended
   */
  pending(message: CallMessage): Promise<unknown> | undefined {
    const pending: Promise<unknown>[] = [];
    for (const id of referencedCallIds(message)) {
      const answer = this.#answers.get(id);
      if (answer instanceof Promise) pending.push(answer.then((known) => this.add(id, known)));
    }
    return pending.length > 0 ? Promise.all(pending) : undefined;
  }

  /**
   * Decodes the results that a call takes, as the client will receive them. Each call gets its own copies,
   * because inputs are passed by value.
   *
   * @param resolve - resolves references of other kinds
   * @throws the error of a failed input, so that the call fails with the error of its input
   */
  resolver(message: CallMessage, resolve: Resolve): Resolve {
    const results = new Map<number, unknown>();
    for (const id of referencedCallIds(message)) {
      // Messages after the answer are not part of the result.
      const [first] = readEncoded(this.#answers.get(id) as EncodedMessage);
      const answer = decodeAnswer(first as AnswerMessage, resolve);
      if ('thrown' in answer) throw answer.thrown;
      results.set(id, answer.result);
    }
    return (reference) => {
      const [name, id, ...path] = reference;
      if (name !== CALL || !isId(id) || !path.every(isString)) return resolve(reference);
      return readPath(results.get(id), path);
    };
  }
}
