/**
 * The answers of one frame's calls, for those of its calls that take one as an argument.
 * Imports wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { readPath } from '../wire/paths.ts';
import type { Resolve } from '../wire/rich-decoder.ts';
import { type AnswerMessage, decodeAnswer, inputsOf, type CallMessage } from '../wire/messages.ts';

export class Results {
  /** The texts of answers by the ids of their calls; a promise while a call is running. */
  readonly #answers = new Map<number, string | Promise<string>>();

  keep(id: number, answer: string | Promise<string>): void {
    this.#answers.set(id, answer);
  }

  /**
   * Waits for the inputs of a call that are still running.
   *
   * @returns a promise that settles when all have ended, well or badly; `undefined` if all have
   * @throws RpcError `BAD_MESSAGE` for an input that is not before the call in its frame
   */
  pending(message: CallMessage): Promise<unknown> | undefined {
    const pending: Promise<unknown>[] = [];
    for (const id of inputsOf(message)) {
      const answer = this.#answers.get(id);
      if (answer === undefined) {
        const problem = `Call ${message[0]} takes the result of call ${id}, which is not before it`;
        throw new RpcError('BAD_MESSAGE', problem);
      }
      if (typeof answer !== 'string') pending.push(answer.then((text) => this.keep(id, text)));
    }
    return pending.length > 0 ? Promise.all(pending) : undefined;
  }

  /**
   * Gives copies of the results that a call takes, as the client will have them: an input is passed
   * by value.
   *
   * @throws what an input threw, so that a call whose input failed fails likewise
   */
  resolver(message: CallMessage): Resolve {
    const results = new Map<number, unknown>();
    for (const id of inputsOf(message)) {
      const answer = decodeAnswer(JSON.parse(this.#answers.get(id) as string) as AnswerMessage);
      if ('thrown' in answer) throw answer.thrown;
      results.set(id, answer.result);
    }
    return ([id, ...path]) => readPath(results.get(id), path);
  }
}
