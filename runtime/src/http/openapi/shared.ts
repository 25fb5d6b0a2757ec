/** The components that all operations of a document share. The document has them once, and operations refer to them. */
import { HTTP_STATUS } from '../../wire/status.ts';

export const JSON_TYPE = 'application/json';

export const INSTANCE = { $ref: '#/components/parameters/instance' };
export const IDEMPOTENCY_KEY = { $ref: '#/components/parameters/idempotencyKey' };
export const LAST_EVENT_ID = { $ref: '#/components/parameters/lastEventId' };
export const PROBLEM = { $ref: '#/components/responses/problem' };
export const REPLAYED = {
  'Idempotency-Replayed': { $ref: '#/components/headers/idempotencyReplayed' },
};

const parameters = {
  instance: {
    name: 'instance',
    in: 'path',
    required: true,
    description: 'The name of the object.',
    schema: { type: 'string', minLength: 1 },
  },
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A text of your own, such as a UUID. Requests with the same key run the method once, and get the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  lastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last event that has arrived. The stream continues after it.',
    schema: { type: 'string' },
  },
};

const headers = {
  idempotencyReplayed: {
    description: '`true` for an answer that repeats an earlier answer.',
    schema: { type: 'string', enum: ['true'] },
  },
};

const text = { type: 'string' };

const CODES = Object.entries(HTTP_STATUS).map(([code, status]) => `\`${code}\` (${status})`);

/** The schema of an error. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  description: 'A problem document, as RFC 9457 has it.',
  properties: {
    title: { ...text, description: 'The code, or the name of the error.' },
    status: { type: 'integer', description: 'The HTTP status.' },
    detail: { ...text, description: 'What happened.' },
    code: {
      type: ['string', 'number'],
      description: `The code of the error. A method can throw errors with codes of its own. The others are ${CODES.join(', ')}.`,
    },
    path: { ...text, description: 'The place of an invalid value, such as `[0].items[2]`.' },
    maybeExecuted: { type: 'boolean', description: 'Whether the method may have run.' },
  },
  required: ['title', 'status', 'detail'],
};

/** The components that are not schemas, by kind. */
export const SHARED = {
  parameters,
  headers,
  responses: {
    problem: {
      description: 'An error.',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  },
};
