/** Checks in development that what a method sends matches its output schema. */
import type { MethodKind } from '../../wire/brands.ts';
import { isLocal } from '../base/development.ts';
import { rejection } from '../base/rejection.ts';
import type { Validator } from '../schemas/validator.ts';

/** What the methods of each kind send, in messages. */
const SENT: Record<MethodKind, string> = {
  call: 'The result',
  live: 'The value',
  events: 'An event',
  stream: 'An item',
  rows: 'A row',
};

/** Makes what checks in development all that a method sends. */
export function outputChecker(
  method: string,
  kind: MethodKind,
  validator: Validator,
): ((sent: unknown, index?: number) => void) | undefined {
  if (!isLocal()) return undefined;
  return (sent, index) => {
    const { issues } = validator.validate(sent);
    if (!issues) return;
    const [issue] = issues;
    const path = (index === undefined ? '' : `[${index}]`) + issue.path;
    const problem = `${SENT[kind]} of ${method} does not match its output schema`;
    throw rejection('UNSERIALIZABLE', `${problem}: ${path || 'it'} ${issue.message}`, { path });
  };
}
