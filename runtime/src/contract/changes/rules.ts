/**
 * The rules of changes: the effects of each kind of change, and a way without them. The table of the page on changes and
 * deployments is generated from these rules, and a test runs both versions of each change against each other.
 */

/** The meetings of versions after a deployment. */
export type Meeting = 'oldPage' | 'newPage' | 'stored';

/** The meetings in words, in the order of the table. */
export const MEETINGS: Readonly<Record<Meeting, string>> = {
  oldPage: 'old page, new object',
  newPage: 'new page, old object',
  stored: 'stored events and capabilities',
};

/** The effect in a meeting; `undefined` if everything works. */
type Effect = string | undefined;

/** One kind of change. */
export interface Rule extends Readonly<Record<Meeting, Effect>> {
  /** The change in words, after the name of the method. */
  readonly change: string;
  /** The way to make the change without breaking anything. */
  readonly instead: string;
}

const MISSING = '`METHOD_NOT_FOUND`';
const INVALID = '`INVALID_ARGUMENTS`';
const UNSUPPORTED = '`UNSUPPORTED`';
const FORBIDDEN = '`FORBIDDEN`';
const UNEXPECTED = 'an unexpected value';
const FAILS = 'an error, or no values';
const NOT_FOUND = '`NOT_FOUND`';

const OBJECT_FIRST = 'Deploy the object first, then the page that needs the new contract.';
const PAGE_FIRST =
  'Deploy a page that does not need the old contract first, then the object, once the old pages are closed.';
const BOTH_FORMS =
  'Add a method with the new form, and deploy the object. Then deploy the page that calls the new method, and then remove the old method.';
const AS_OPTIONAL =
  'Add an optional argument, and deploy the object. Then deploy the page that passes it, and then require the argument.';

const works = { oldPage: undefined, newPage: undefined, stored: undefined };

/** The rules by name. A list of allowed changes has these names. */
export const RULES = {
  'method-added': {
    ...works,
    change: 'add a method',
    newPage: MISSING,
    instead: `${OBJECT_FIRST} Or let the page wait for the method, with the option \`awaitMethods\`.`,
  },
  'method-removed': {
    ...works,
    change: 'remove a method',
    oldPage: MISSING,
    instead: PAGE_FIRST,
  },
  'optional-argument-added': {
    ...works,
    change: 'add an optional argument',
    newPage: INVALID,
    instead: OBJECT_FIRST,
  },
  'argument-added': {
    ...works,
    change: 'add a required argument',
    oldPage: INVALID,
    newPage: INVALID,
    instead: AS_OPTIONAL,
  },
  'optional-argument-removed': {
    ...works,
    change: 'remove an optional argument',
    oldPage: INVALID,
    instead: PAGE_FIRST,
  },
  'argument-removed': {
    ...works,
    change: 'remove a required argument',
    oldPage: INVALID,
    newPage: INVALID,
    instead:
      'Make the argument optional, and deploy the object. Then deploy the page that leaves it out, and then remove the argument.',
  },
  'argument-optional': {
    ...works,
    change: 'make an argument optional',
    newPage: INVALID,
    instead: OBJECT_FIRST,
  },
  'argument-required': {
    ...works,
    change: 'require an optional argument',
    oldPage: INVALID,
    instead:
      'Deploy the page that always passes the argument first, then the object, once the old pages are closed.',
  },
  'argument-widened': {
    ...works,
    change: 'accept more values in an argument',
    newPage: INVALID,
    instead: OBJECT_FIRST,
  },
  'argument-narrowed': {
    ...works,
    change: 'accept fewer values in an argument',
    oldPage: INVALID,
    instead: PAGE_FIRST,
  },
  'argument-changed': {
    ...works,
    change: 'accept other values in an argument',
    oldPage: INVALID,
    newPage: INVALID,
    instead:
      'Accept the old and the new values, and deploy the object. Then deploy the page, and then accept only the new values.',
  },
  'callback-changed': {
    ...works,
    change: 'change the arguments or the result of a callback',
    oldPage: UNEXPECTED,
    newPage: UNEXPECTED,
    instead: BOTH_FORMS,
  },
  'stream-argument': {
    ...works,
    change: 'turn an argument into a stream, or a stream into a list',
    oldPage: UNSUPPORTED,
    newPage: UNSUPPORTED,
    instead: BOTH_FORMS,
  },
  'result-widened': {
    ...works,
    change: 'allow more values in results or events',
    oldPage: UNEXPECTED,
    instead:
      'Deploy the page that understands the new values first, then the object, once the old pages are closed.',
  },
  'result-narrowed': {
    ...works,
    change: 'allow fewer values in results, or add properties',
    newPage: UNEXPECTED,
    instead: 'Deploy the object first, then the page that relies on the new results.',
  },
  'result-changed': {
    ...works,
    change: 'allow other values in results',
    oldPage: UNEXPECTED,
    newPage: UNEXPECTED,
    instead: BOTH_FORMS,
  },
  'event-narrowed': {
    ...works,
    change: 'allow fewer values in events, or add properties',
    newPage: UNEXPECTED,
    stored: UNEXPECTED,
    instead:
      'Keep the schema of events as wide as the stored events: make a new property optional, and let the page read both forms.',
  },
  'event-changed': {
    ...works,
    change: 'allow other values in events',
    oldPage: UNEXPECTED,
    newPage: UNEXPECTED,
    stored: UNEXPECTED,
    instead: 'Publish the new events in a feed of their own, with another method and another name.',
  },
  'subscription-added': {
    ...works,
    change: 'turn a call into a live value',
    newPage: UNSUPPORTED,
    instead: OBJECT_FIRST,
  },
  'subscription-removed': {
    ...works,
    change: 'turn a live value into a call',
    oldPage: UNSUPPORTED,
    instead: PAGE_FIRST,
  },
  'kind-changed': {
    ...works,
    change: 'change the kind of a method in another way',
    oldPage: FAILS,
    newPage: FAILS,
    instead: BOTH_FORMS,
  },
  'key-changed': {
    ...works,
    change: 'change the key of rows',
    oldPage: 'missing or repeated rows',
    newPage: 'missing or repeated rows',
    instead: BOTH_FORMS,
  },
  'capability-not-returned': {
    ...works,
    change: 'return another class of capabilities, or none',
    oldPage: UNEXPECTED,
    instead: BOTH_FORMS,
  },
  'capability-returned': {
    ...works,
    change: 'return one more class of capabilities',
    newPage: UNEXPECTED,
    instead: OBJECT_FIRST,
  },
  'capability-removed': {
    ...works,
    change: 'remove or rename a class of capabilities',
    stored: FORBIDDEN,
    instead:
      'Keep the class under its old name, until nobody holds a capability of it. The name in the contract is the name of the class without Impl.',
  },
  'address-narrowed': {
    ...works,
    change: 'allow fewer addresses of capabilities',
    stored: FORBIDDEN,
    instead: 'Let the class accept the addresses of the capabilities that exist.',
  },
  'class-removed': {
    ...works,
    change: 'remove a class, or its binding',
    oldPage: NOT_FOUND,
    instead: PAGE_FIRST,
  },
  'class-added': {
    ...works,
    change: 'add a class, or a binding',
    instead: '',
  },
  'output-undeclared': {
    ...works,
    change: 'add or remove an output schema',
    instead: '',
  },
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;
