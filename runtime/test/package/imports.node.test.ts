/**
 * Which parts of the runtime may import which: a rule, not a list. `wire` imports nothing else; `client` and `server` know
 * neither each other nor a feature, nor how binary frames are read; a feature knows the core, its own folder, and the shared base of subscriptions. Only
 * the doors name features. The linter reports cycles.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const RUNTIME = join(import.meta.dirname, '../../src');

/** The base that live values, feeds, streams and rows share. */
const BASE = 'features/subscriptions';

/** What the client half of a feature consists of, besides what both halves share: `wire.ts`. */
const CLIENT_HALF = /^(client|sources|readers?|live-store|sockets)\.ts$/;

/** A relay is an object that is a client of another one, and serves what other features send. */
const RELAY = 'features/relay';
const OF_RELAY = new Set([
  'client',
  'server',
  'features/binding',
  'features/feeds',
  'features/live',
  'features/subscriptions',
]);

/** Features that are functions of both ends, or options that either end takes: their types name both. */
const OF_BOTH_ENDS = new Set(['features/debug']);

const files = readdirSync(RUNTIME, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(wire|client|server|features)\/.*\.ts$/.test(path))
  .toSorted();

/** The part of the runtime that a file belongs to, such as `server` or `features/live`. */
function partOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'features' ? `${first}/${second}` : first;
}

interface Import {
  path: string;
  isType: boolean;
}

function importsOf(file: string): Import[] {
  const found = readFileSync(join(RUNTIME, file), 'utf8').matchAll(
    /^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gms,
  );
  return Array.from(found, ([, type, path = '']) => ({
    path: join(dirname(file), path),
    isType: type !== undefined,
  }));
}

function mayImport(file: string, { path, isType }: Import): boolean {
  const [own, other] = [partOf(file), partOf(path)];
  if (own === other) {
    if (OF_BOTH_ENDS.has(own)) return true;
    const isOfClient = CLIENT_HALF.test(basename(file));
    // A half of a feature knows the other one at most by its types.
    if (!own.startsWith('features/') || isOfClient === CLIENT_HALF.test(basename(path)))
      return true;
    return isType || basename(path) === 'wire.ts' || basename(file) === 'index.ts';
  }
  if (own === 'wire') return false;
  if (other === 'wire')
    return isType || basename(path) !== 'bytes.ts' || own.startsWith('features/');
  if (own === 'client' || own === 'server') return false;
  if (own === RELAY) return OF_RELAY.has(other);
  if (other === BASE) return !OF_BOTH_ENDS.has(own);
  if (other.startsWith('features/')) return false;
  if (OF_BOTH_ENDS.has(own)) return isType || CLIENT_HALF.test(basename(file));
  return other === (CLIENT_HALF.test(basename(file)) ? 'client' : 'server');
}

test.each(files)('%s imports only what it may', (file) => {
  expect(importsOf(file).filter((one) => !mayImport(file, one))).toEqual([]);
});

test('the rule forbids what it is there for', () => {
  const value = (path: string): Import => ({ path, isType: false });
  expect(mayImport('server/calls/frame-run.ts', value('features/live/feature.ts'))).toBe(false);
  expect(mayImport('features/live/live-calls.ts', value('features/feeds/feed.ts'))).toBe(false);
  expect(mayImport('features/live/live-calls.ts', value('features/subscriptions/feature.ts'))).toBe(
    true,
  );
  expect(mayImport('features/uploads/client.ts', value('server/calls/refusal.ts'))).toBe(false);
  expect(mayImport('features/uploads/client.ts', value('features/uploads/feature.ts'))).toBe(false);
  expect(mayImport('wire/bytes.ts', value('client/call.ts'))).toBe(false);
});
