/** Reads messages that have arrived from an object. */
import { type AnswerMessage, decodeAnswer } from '../../src/wire/messages.ts';

/** @returns the messages of a kind */
export function ofKind(messages: unknown[][], kind: string): unknown[][] {
  return messages.filter(([first]) => first === kind);
}

/**
 * @returns the error of a `complete` message; `undefined` if the subscription ended without an
 *   error
 */
export function thrownBy(complete: unknown[] | undefined): unknown {
  const [, , form, thrown] = complete ?? [];
  if (form !== 'error') return undefined;
  const answer = decodeAnswer([1, form, thrown] as AnswerMessage);
  return (answer as { thrown?: unknown }).thrown;
}
