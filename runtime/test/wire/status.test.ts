/** Tests the HTTP status of each error code, and the code that a client derives from a status. */
import { expect, test } from 'vitest';
import { rejectionOf } from '../../src/client/failures.ts';
import type { RpcErrorCode } from '../../src/wire/errors.ts';
import { HTTP_STATUS } from '../../src/wire/status.ts';

/** For each code, its status, and the code that a client derives from the status. */
const CASES: Record<RpcErrorCode, [status: number, read: RpcErrorCode]> = {
  METHOD_NOT_FOUND: [404, 'NOT_FOUND'],
  INVALID_ARGUMENTS: [400, 'BAD_RESPONSE'],
  UNSERIALIZABLE: [500, 'UNAVAILABLE'],
  TIMEOUT: [504, 'UNAVAILABLE'],
  ABORTED: [499, 'BAD_RESPONSE'],
  DISCONNECTED: [503, 'UNAVAILABLE'],
  CLOSED: [503, 'UNAVAILABLE'],
  LIMIT_EXCEEDED: [429, 'UNAVAILABLE'],
  CURSOR_EXPIRED: [410, 'BAD_RESPONSE'],
  BAD_MESSAGE: [400, 'BAD_RESPONSE'],
  UNSUPPORTED: [501, 'UNAVAILABLE'],
  UNAUTHORIZED: [401, 'UNAUTHORIZED'],
  FORBIDDEN: [403, 'FORBIDDEN'],
  NOT_FOUND: [404, 'NOT_FOUND'],
  UNAVAILABLE: [503, 'UNAVAILABLE'],
  BAD_RESPONSE: [502, 'UNAVAILABLE'],
};

test.each(Object.entries(CASES))('%s', (code, [status, read]) => {
  expect(HTTP_STATUS[code as RpcErrorCode]).toBe(status);
  expect(rejectionOf(status, '', 'address').code).toBe(read);
});

test('the table has no other code', () => {
  expect(Object.keys(HTTP_STATUS).toSorted()).toEqual(Object.keys(CASES).toSorted());
});

test('no code has the status 408, which proxies send for a slow connection', () => {
  expect(Object.values(HTTP_STATUS)).not.toContain(408);
  expect(rejectionOf(408, '', 'address').code).toBe('UNAVAILABLE');
});
