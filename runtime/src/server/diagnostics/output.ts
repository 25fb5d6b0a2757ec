/** Checks in development that the values which a method sends match its output schema, and that rows have their keys. */
import type { MethodKind } from '../../wire/brands.ts';
import { isLocal } from '../base/development.ts';
import { rejection } from '../base/rejection.ts';
import type { Validator } from '../schemas/validator.ts';
import { checkRowKeys } from './row-keys.ts';

/** The words for the values that the methods of each kind send, in messages. */
const SENT: Record<MethodKind, string> = {
  call: 'The result',
  live: 'The value',
  events: 'An event',
  stream: 'An item',
  rows: 'A row',
  presence: 'The value',
};

/** Makes the function that checks the values which a method sends; `undefined` if there is nothing to check. */
export function outputChecker(
  method: string,
  { kind, key }: { readonly kind: MethodKind; readonly key: string | undefined },
  validator: Validator | undefined,
): ((sent: unknown, index?: number) => void) | undefined {
  const rowKey = kind === 'live' ? key : undefined;
  if (!isLocal() || (!validator && rowKey === undefined)) return undefined;
  return (sent, index) => {
    const [issue] = validator?.validate(sent).issues ?? [];
    if (issue) {
      const path = (index === undefined ? '' : `[${index}]`) + issue.path;
      const problem = `${SENT[kind]} of ${method} does not match its output schema`;
      throw rejection('UNSERIALIZABLE', `${problem}: ${path || 'it'} ${issue.message}`, { path });
    }
    if (rowKey !== undefined) checkRowKeys(method, sent, rowKey);
  };
}
