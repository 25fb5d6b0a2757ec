/**
 * A caller can use a part of a result before the result arrives. Only own data properties are
 * parts.
 */
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { runsOf } from '../runs.ts';

/** Returns a part by its path, without regard to the types. */
function part(call: unknown, ...path: string[]): PromiseLike<unknown> {
  return path.reduce(
    (from, key) => (from as Record<string, unknown>)[key],
    call,
  ) as Promise<unknown>;
}

const absent: [name: string, path: string[]][] = [
  ['a missing property', ['missing']],
  ['an entry beyond the end', ['address', 'lines', '9']],
  ['a method of an array', ['address', 'lines', 'map']],
  ['a method of a string', ['name', 'at']],
  ['the size of a Map, which is a getter', ['visits', 'size']],
  ['a method of a Map', ['visits', 'get']],
];

/** Every promise has these members, so a result cannot have parts of these names. */
const members = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'toLocaleString'] as const;

/** Libraries probe for these names, so a result cannot have parts of these names. */
const probed = ['_debugInfo', '$$typeof', '@@iterator', '__v_isRef', 'nodeType', 'toJSON'];

export const projection: Case[] = [
  {
    name: 'a part of a result is one round trip and one execution',
    async run(caller) {
      const { client, traffic } = caller.connect();
      equal(await client.profile().address.city, 'London');
      equal([traffic.up.length, traffic.down.length], [1, 1]);
      equal(await runsOf(client), ['profile']);
    },
  },
  {
    name: 'several parts of one call are one execution',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const profile = client.profile();
      const { name, address, nothing } = profile;
      const parts = [name, address.city, part(address, 'lines', '1'), nothing];
      equal(await Promise.all(parts), ['Ada', 'London', 'London', null]);
      equal(await part(profile, 'address', 'lines', 'length'), 2);
      equal((await profile).name, 'Ada');
      equal(traffic.up.length, 1);
      equal(await runsOf(client), ['profile']);
    },
  },
  {
    name: 'reading a part without awaiting it sends nothing',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const profile = client.profile();
      void profile.address.city;
      await profile;
      void profile.address.lines;
      equal(traffic.up, [[[1, 'profile']]]);
    },
  },
  {
    name: 'parts are arguments of calls of the same frame and of a later frame',
    async run(caller) {
      const { client, traffic } = caller.connect();
      const profile = client.profile();
      const { city } = profile.address;
      equal(await client.gather('user', profile.name, { city, again: [city] }), [
        'Ada',
        { city: 'London', again: ['London'] },
      ]);
      equal(traffic.up.length, 1);
      equal(await client.gather('later', profile.address, profile.nothing), [
        { city: 'London', lines: ['12 St James Square', 'London'] },
        null,
      ]);
      equal(await runsOf(client), ['later', 'profile', 'user']);
    },
  },
  ...absent.map(([name, path]): Case => ({
    name: `${name} is undefined, to the caller and as an argument`,
    async run(caller) {
      const { client } = caller.connect();
      const profile = client.profile();
      const read = part(profile, ...path);
      const user = client.gather('user', [read]);
      equal(await read, undefined);
      equal(await user, [[undefined]]);
      equal(await client.gather('later', [part(profile, ...path)]), [[undefined]]);
    },
  })),
  ...[
    ['nothing', 'below'],
    ['missing', 'below'],
    ['missing', 'map', 'below'],
  ].map((path): Case => ({
    name: `reading ${path.join('.')} rejects with a TypeError, and so does a call that uses it`,
    async run(caller) {
      const { client } = caller.connect();
      const profile = client.profile();
      const read = part(profile, ...path);
      const user = client.gather('user', read);
      await Promise.all([read, user].map((call) => rejects(call, { name: 'TypeError' })));
      equal((await profile).name, 'Ada');
      await rejects(client.gather('later', part(profile, ...path)), { name: 'TypeError' });
      equal(await runsOf(client), ['profile']);
    },
  })),
  {
    name: 'a part of a call that fails rejects with the failure of the call',
    async run(caller) {
      const { client } = caller.connect();
      const call = client.fail('RangeError', 'base');
      const read = part(call, 'a', 'b');
      const user = client.gather('user', read);
      await Promise.all([read, user].map((end) => rejects(end, { message: 'range' })));
      equal(await runsOf(client), ['base']);
    },
  },
  ...['profile', 'address'].map((whose): Case => ({
    name: `members of every promise and names that libraries probe are no parts of ${whose}`,
    async run(caller) {
      const { client, traffic } = caller.connect();
      const profile = client.profile();
      const promise = (whose === 'profile' ? profile : profile.address) as Promise<unknown>;
      check(promise instanceof Promise, 'It is not a promise');
      equal(members.map((name) => promise[name]) as unknown, [
        Promise,
        ...members.slice(1).map((name) => Promise.prototype[name]),
      ]);
      equal(
        probed.map((name) => (promise as never)[name]) as unknown,
        Array<undefined>(6).fill(undefined),
      );
      equal(`${promise}`, '[object Promise]');
      await profile;
      equal(traffic.up, [[[1, 'profile']]]);
    },
  })),
  {
    name: 'a property that is set on a call or a part stays there, and appears nowhere else',
    async run(caller) {
      const { client } = caller.connect();
      const profile = client.profile();
      const { address } = profile;
      Object.assign(profile, { name: 'set' });
      Object.assign(address, { city: 'set', status: 'pending' });
      equal([profile.name, address.city, Object.keys(profile)] as unknown, [
        'set',
        'set',
        ['name'],
      ]);
      equal(await Promise.all([profile.address.city, part(profile, 'status')]), [
        'London',
        undefined,
      ]);
      equal((await profile).name, 'Ada');
    },
  },
  {
    name: 'a part of an asynchronous result',
    async run(caller) {
      const { client } = caller.connect();
      const call = client.runLater('base', { list: [{ id: 5 }] });
      const id = part(call, 'list', '0', 'id');
      equal(await client.add(id as never, 1), 6);
      equal(await id, 5);
    },
  },
  {
    name: 'results may have properties named like those of promises and of the wire',
    async run(caller) {
      const { client } = caller.connect();
      // oxlint-disable-next-line no-thenable -- the test is about this property
      const value = { then: 5, catch: 'x', error: 1, rich: 2, cancel: 3, id: 4, message: 'm' };
      equal(await client.map(value), value);
      equal(await part(client.map(value), 'message'), 'm');
    },
  },
];
