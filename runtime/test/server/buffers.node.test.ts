/**
 * Lists everything in an object that can grow, and its bound. The bytes that belong to a client are
 * in the client's account, see `server/base/memory.ts`. Everything else has another bound, which
 * the table names. A new field or constant fails the test until the table has a line for it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

/** Bytes are added to the account when a value is put in, and released when it is taken out. */
const ACCOUNT = 'the account of the client';
/** The keys are objects whose other fields are in this table. */
const WEAK = 'lives as long as its keys';
const CONTRACT = 'the contract, which is compiled once';
const OF_A_FRAME = 'one frame, whose size is limited, while it is handled';
const CONNECTIONS = 'limits.connections, and the runtime: each connection is a socket';
const CALLS = 'limits.callsInFlight: the arguments are in the account';
const SUBSCRIPTIONS =
  'limits.subscriptions for a connection: a record is at most 12 000 characters';

const BUFFERS: Readonly<Record<string, string>> = {
  'base/capability-classes.ts compiledByClass': WEAK,
  'base/key-values.ts #values': 'the class: it is the storage of an object without one',
  'base/memory.ts clients': 'the clients that have a connection or hold something',
  'base/memory.ts holders': CONNECTIONS,
  'base/memory.ts #sizes':
    'the copies of a relay, and volatile feeds: their bytes are in an account of their own',
  'base/shared-alarm.ts alarms': WEAK,
  'base/turns.ts due': 'what is due at the end of a turn: one function for each feature and feed',
  'base/turns.ts transactions': WEAK,
  'base/turns.ts followed': WEAK,
  'calls/call-resources.ts #parts': 'two entries for a call',
  'calls/frame-run.ts #late': OF_A_FRAME,
  'calls/frame-run.ts #metadata':
    'one frame: of a call that waits, what is said of it is in the account',
  'calls/native-calls.ts originals': WEAK,
  'calls/pipelining.ts #answers': 'one frame: the answers are those of the outbox and the journal',
  'connections/client-connection.ts running': CALLS,
  'connections/outbox.ts #frames': ACCOUNT,
  'connections/pieces.ts #parts': ACCOUNT,
  'connections/pieces.ts #queue': ACCOUNT,
  'connections/pieces.ts #sent': ACCOUNT,
  'connections/rejections.ts #barred': 'MAX_BARRED_SIZE characters',
  'connections/rejections.ts #counted': 'MAX_COUNTED clients',
  'connections/rejections.ts #owners': 'MAX_OWNERS owners',
  'connections/sockets.ts connectionsOfSockets': WEAK,
  'connections/sockets.ts residents': WEAK,
  'connections/subscription-store.ts stored': SUBSCRIPTIONS,
  'connections/waiting-frames.ts #frames': ACCOUNT,
  'diagnostics/failure.ts printed': 'the reasons that a developer has seen',
  'diagnostics/hot-updates.ts objects': 'the objects that a developer has used',
  'diagnostics/likely-error.ts described': WEAK,
  'diagnostics/not-found.ts routedBindings': 'the bindings of the Worker',
  'diagnostics/origins.ts reported': 'MAX_REPORTED origins',
  'diagnostics/writes.ts reported': WEAK,
  'journal/client-journal.ts #running': CALLS,
  'journal/client-journal.ts #segments': 'MAX_SIZE for a client',
  'journal/journal.ts #entries': 'the clients that have a connection or a running call',
  'journal/journal.ts #unsaved': 'MAX_UNSAVED clients, each with the ids that a row has',
  'journal/kept-answers.ts #answers': 'MAX_SIZE and MAX_INPUTS_SIZE for a client',
  'schemas/array-holes.ts incomplete': WEAK,
  'schemas/references.ts known': 'the objects of a value, while it is checked',
  'features/argument-streams/feature.ts #streams': 'limits.argumentStreams',
  'features/argument-streams/server/argument-stream.ts #items': ACCOUNT,
  'features/argument-streams/server/argument-stream.ts #sizes': 'STREAM_WINDOW items',
  'features/argument-streams/server/argument-streams.ts #clients': 'limits.argumentStreams each',
  'features/callbacks/server/callback-arguments.ts #kept': 'the arguments of one call',
  'features/callbacks/server/callback-arguments.ts #passed': 'the arguments of one call',
  'features/callbacks/server/callback-arguments.ts callsKeepingCallbacks': WEAK,
  'features/callbacks/server/callback-calls.ts #idsOfConnection': 'limits.callbacks',
  'features/callbacks/server/callback-calls.ts #pending': 'limits.callbacks',
  'features/callbacks/server/callback-schemas.ts #parameters': CONTRACT,
  'features/debug/server/connection-log.ts logs': WEAK,
  'features/feeds/server/feeds.ts #appended': 'the feeds that a turn has appended to',
  'features/feeds/server/feeds.ts #open': 'the feeds that are subscribed to',
  'features/feeds/server/feeds.ts #volatile':
    'the feeds that are subscribed to: their events are in an account of their own',
  'features/feeds/server/open-feed.ts listeners': SUBSCRIPTIONS,
  'features/live/server/live-calls.ts #listeners': 'limits.liveCalls',
  'features/presence/server/presence-list.ts #byKey': SUBSCRIPTIONS,
  'features/presence/server/presence-list.ts #gone': 'MAX_GONE, and as many as are there',
  'features/presence/server/presence-list.ts #listeners': SUBSCRIPTIONS,
  'features/presence/server/presence-list.ts #saying': ACCOUNT,
  'features/relay/server/feed-copy.ts #arrivals': SUBSCRIPTIONS,
  'features/relay/server/feed-copy.ts #late': SUBSCRIPTIONS,
  'features/relay/server/feed-copy.ts #waiting': SUBSCRIPTIONS,
  'features/relay/server/relays.ts copies': 'limits.subscriptions of the origin, and MAX_UNUSED',
  'features/relay/server/relays.ts sources':
    'the origins that the class names, while they are used',
  'features/relay/server/value-copy.ts #calls': 'limits.liveCalls',
  'features/streams/server/open-stream.ts #items': ACCOUNT,
  'features/streams/server/row-lists.ts #messages': 'PAGE_SIZE for a subscription',
  'features/streams/server/row-lists.ts #rows': 'PAGE_SIZE for a subscription',
  'features/streams/server/streams.ts #keys': WEAK,
  'features/streams/server/streams.ts #open': 'limits.streams',
  'features/subscriptions/server/begin-subscription.ts waitingOn': WEAK,
  'features/subscriptions/server/subscribers.ts #restored': CONTRACT,
  'features/subscriptions/server/subscribers.ts subscribers': WEAK,
};

/**
 * Matches a field of a class or a constant of a module that begins empty, and a field that is
 * created when it is needed.
 */
const GROWING = [
  /^ {2}(?:readonly )?(#?\w+)(?:: .+)? = (?:\[\]|new (?:Map|Set|WeakMap|WeakSet)\b.*);$/gm,
  /^(?:export )?const (\w+)(?:: [^=\n]+)? = (?:\[\]|new (?:Map|Set|WeakMap|WeakSet)\b.*);$/gm,
  /this\.(#?\w+) \?\?= (?:\[\]|new (?:Map|Set)\b)/g,
];

function growingIn(file: string): string[] {
  const text = readFileSync(join(SOURCES, file), 'utf8');
  const names = GROWING.flatMap((form) => Array.from(text.matchAll(form), ([, name]) => name));
  return names.map((name) => `${file.replace(/^server\//, '')} ${name}`);
}

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /^(server\/.*|features\/[^/]+\/(server\/.*|feature))\.ts$/.test(file),
);

test('everything that can grow in an object has a bound', () => {
  const found = [...new Set(files.flatMap(growingIn))].toSorted();
  expect(found).toEqual(Object.keys(BUFFERS).toSorted());
});

test.each([
  ['class A {\n  readonly #all = new Map<string, number>();\n}', '#all'],
  ['class A {\n  #list: string[] = [];\n}', '#list'],
  ['const all = new Set<string>();', 'all'],
  ['    this.#late ??= [];', '#late'],
])('%s is found', (text, name) => {
  const found = GROWING.flatMap((form) => Array.from(text.matchAll(form), ([, one]) => one));
  expect(found).toEqual([name]);
});
