/**
 * Tests which parts of the runtime import which other parts.
 *
 * - `wire` imports nothing else. `client` and `server` import neither each other nor a feature.
 * - Inside `server/`, the floors are an ordered list: each imports only the floors below it.
 * - A feature has two halves, `server/` and `client/`, which share `wire.ts`. Its server half, with
 *   `feature.ts`, imports `server/feature.ts` and nothing else of the server.
 * - `http` is a client in the Worker. It imports the router, the public description of a contract
 *   and the client's reader of a subscription, but no internals of the object.
 * - The builders of schemas in `typebox` import nothing else. Clients do not import them.
 * - Only the doors name features. The linter reports circular imports.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../src');

/**
 * The floors of the server, from the lowest to the highest. The last floor is the files beside the
 * folders.
 */
const FLOORS = [
  'base',
  'schemas',
  'diagnostics',
  'routing',
  'contract',
  'journal',
  'connections',
  'calls',
  'feature.ts',
  'entry points',
];

/**
 * The other features that each feature may import. Many import the base of subscriptions. The store
 * of a presence is a store of live values. A relay is a client that serves other clients. The
 * client's half of tracing creates spans from reports.
 */
const FEATURES_BELOW: Readonly<Record<string, readonly string[]>> = {
  feeds: ['subscriptions'],
  live: ['subscriptions'],
  presence: ['subscriptions', 'live'],
  streams: ['subscriptions'],
  relay: ['subscriptions', 'feeds', 'live'],
  tracing: ['reports'],
};

/**
 * The files of the server that `http` may import: the router with the modules that they share, and
 * the public description of a contract.
 */
const FOR_HTTP =
  /^server\/(routing\/.*|base\/(caller|namespaces|parse-unchecked|probes|read-body|requests)|contract\/description|diagnostics\/explanations)\.ts$/;

/** The file of a client that `http` may import, which reads the messages of a subscription. */
const READER = 'features/subscriptions/client/reader.ts';

/** The features whose server half is also a client. */
const OF_BOTH_ENDS = new Set(['relay', 'debug']);

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(wire|client|server|features|http|typebox)\/.*\.ts$/.test(path))
  .toSorted();

function importsOf(file: string): string[] {
  const found = readFileSync(join(SOURCES, file), 'utf8').matchAll(
    /^(?:import|export) [^;]*?from '(\.[^']+)'/gms,
  );
  return Array.from(found, ([, path = '']) => join(dirname(file), path));
}

function floorOf(file: string): number {
  const [, first = '', ...rest] = file.split('/');
  const isOnFloor = rest.length > 0 || first === 'feature.ts';
  return FLOORS.indexOf(isOnFloor ? first : 'entry points');
}

/** Returns the half of a feature to which a file belongs. */
function halfOf(file: string): 'server' | 'client' | 'wire' {
  const [, , inside = ''] = file.split('/');
  return inside === 'client' ? 'client' : inside.startsWith('wire') ? 'wire' : 'server';
}

function mayImport(file: string, path: string): boolean {
  const [room, feature = ''] = file.split('/');
  const [otherRoom, otherFeature = ''] = path.split('/');
  if (otherRoom === 'wire') return true;
  if (room === 'http') return otherRoom === 'http' || path === READER || FOR_HTTP.test(path);
  if (otherRoom === 'typebox')
    return room === 'typebox' || (room === 'features' && halfOf(file) === 'server');
  if (room !== 'features') {
    if (room !== otherRoom) return false;
    return room !== 'server' || floorOf(path) <= floorOf(file);
  }
  const isOfBothEnds = OF_BOTH_ENDS.has(feature);
  const half = halfOf(file);
  if (otherRoom === 'client') return half === 'client' || isOfBothEnds;
  if (otherRoom === 'server') return half === 'server' && path === 'server/feature.ts';
  if (feature !== otherFeature && !FEATURES_BELOW[feature]?.includes(otherFeature)) return false;
  return halfOf(path) === half || halfOf(path) === 'wire' || isOfBothEnds;
}

test.each(files)('%s imports only allowed modules', (file) => {
  expect(importsOf(file).filter((path) => !mayImport(file, path))).toEqual([]);
});

test('each folder of the server is a floor', () => {
  expect(files.filter((file) => file.startsWith('server/') && floorOf(file) < 0)).toEqual([]);
});

test('each feature has the same structure', () => {
  const strays = files.filter(
    (file) =>
      file.startsWith('features/') &&
      !/^features\/[\w-]+\/(feature\.ts|wire\.ts|(server|client|wire)\/[\w-]+\.ts)$/.test(file),
  );
  expect(strays).toEqual([]);
});

test.each([
  ['server/calls/frame-run.ts', 'features/live/feature.ts'],
  ['server/contract/types.ts', 'server/calls/frame-run.ts'],
  ['server/calls/frame-run.ts', 'server/feature.ts'],
  ['server/feature.ts', 'server/handlers.ts'],
  ['features/live/server/live-calls.ts', 'features/feeds/feature.ts'],
  ['features/live/server/live-calls.ts', 'server/base/rejection.ts'],
  ['features/live/client/live-store.ts', 'features/live/server/live-calls.ts'],
  ['features/callbacks/client/callback.ts', 'server/feature.ts'],
  ['features/callbacks/feature.ts', 'client/call.ts'],
  ['wire/bytes.ts', 'client/call.ts'],
  ['http/call.ts', 'server/contract/types.ts'],
  ['http/call.ts', 'server/calls/exchange.ts'],
  ['http/events.ts', 'features/subscriptions/server/subscribers.ts'],
  ['server/routing/router.ts', 'http/route.ts'],
  ['typebox/builders.ts', 'server/base/rejection.ts'],
  ['client/call.ts', 'typebox/builders.ts'],
  ['features/callbacks/client/callback.ts', 'typebox/builders.ts'],
])('the rule forbids that %s imports %s', (file, path) => {
  expect(mayImport(file, path)).toBe(false);
});

test.each([
  ['server/calls/frame-run.ts', 'server/base/turns.ts'],
  ['server/calls/frame-run.ts', 'server/calls/targets.ts'],
  ['features/live/server/live-calls.ts', 'features/subscriptions/server/subscribers.ts'],
  ['features/live/server/live-calls.ts', 'server/feature.ts'],
  ['features/callbacks/feature.ts', 'typebox/builders.ts'],
])('the rule allows that %s imports %s', (file, path) => {
  expect(mayImport(file, path)).toBe(true);
});
