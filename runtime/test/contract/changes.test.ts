/**
 * Tests which changes of a contract break something. Each old page meets the new object, each new
 * page meets the old object, and each new object reads what the old object stored. The program has
 * to report exactly the failures that were seen.
 */
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env as bindings } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { compareContracts } from '../../src/contract/changes/compare-contracts.ts';
import { type Meeting, type RuleName, RULES } from '../../src/contract/changes/rules.ts';
import { describeContract } from '../../src/contract/describe.ts';
import { capabilities } from '../../src/client.ts';
import { connect, cut } from '../../src/testing.ts';
import type { TestEnv } from '../worker.ts';
import { CHANGES } from './changes.ts';
import { type ContractChange, Page, type Version } from './version.ts';
import { type Age, contractOf } from './versioned.ts';

const env = bindings as TestEnv;

const MEETINGS: readonly Meeting[] = ['oldPage', 'newPage', 'stored'];

const OPTIONS = { as: null, capabilities };

let count = 0;

/** The rules that some change has proved right. */
const proved = new Set<RuleName>();

interface Problem {
  readonly code: string | undefined;
  readonly message: string;
}

test('there are enough changes', () => {
  expect(CHANGES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(CHANGES.map(({ name }) => name)).size).toBe(CHANGES.length);
});

describe.each(CHANGES)('$name', (change) => {
  const { old, next } = change;

  test('pages and objects of the same version understand each other', async () => {
    expect(await meet(change, old, 'old')).toEqual([]);
    expect(await meet(change, next, 'next')).toEqual([]);
  });

  test('the program tells what breaks, and how', async () => {
    const seen: Record<Meeting, Problem[]> = {
      oldPage: [...(await meet(change, old, 'next')), ...(await goOn(change))],
      newPage: [...(await meet(change, next, 'old')), ...(await goOn(change))],
      stored: await meetStored(change),
    };
    const changes = compareContracts(
      { Class: describeContract(contractOf(old)) },
      { Class: describeContract(contractOf(next)) },
    );
    const told = MEETINGS.filter((meeting) => changes.some(({ breaks }) => breaks.has(meeting)));
    const broken = MEETINGS.filter((meeting) => seen[meeting].length > 0);
    if (change.isUnseen) {
      expect(broken).not.toEqual([]);
      return expect(changes).toEqual([]);
    }
    expect({ told, changes }, JSON.stringify(seen)).toEqual({ told: broken, changes });
    for (const { rule, breaks } of changes) {
      proved.add(rule);
      if (changes.length > 1) continue;
      for (const [meeting, { effect }] of breaks) {
        const codes = seen[meeting].map(({ code }) => code && `\`${code}\``);
        if (effect.startsWith('`'))
          expect(`${rule} ${meeting} ${effect}`).toBe(`${rule} ${meeting} ${codes[0]}`);
      }
    }
    const uncertain = changes.flatMap(({ breaks }) =>
      [...breaks.values()].filter(({ isUncertain }) => isUncertain),
    );
    expect(uncertain.length > 0).toBe(change.isUncertain ?? false);
  });
});

describe('a class without a binding', () => {
  test('is not found', async () => {
    using client = connect<{ greet(): Promise<void> }>('REMOVED', 'x');
    const problems = await problemsOf(() => client.greet());
    expect(`\`${problems[0]?.code}\``).toBe(RULES['class-removed'].oldPage);
    proved.add('class-removed').add('class-added');
  });
});

test('each rule is proved', () => {
  expect(Object.keys(RULES).filter((name) => !proved.has(name as RuleName))).toEqual([]);
});

/** @returns the problems of a page with an object */
async function meet({ name }: ContractChange, page: Version, age: Age): Promise<Problem[]> {
  using client = connect<object>('VERSIONED', `${name}/${age}/${++count}`, OPTIONS);
  return await problemsOf(() => new Page(client, page.contract).run(page));
}

/** @returns the problems of a loop that continues after the deployment of the new object */
async function goOn({ name, old: { open, contract } }: ContractChange): Promise<Problem[]> {
  if (!open) return [];
  const instance = `${name}/old/${++count}`;
  using client = connect<object>('VERSIONED', instance, OPTIONS);
  const page = new Page(client, contract);
  return await problemsOf(async () => {
    const rest = await open(page);
    await deploy(client, instance);
    await rest();
  });
}

/**
 * @returns the problems with events and capabilities of the old object, when the new object is
 *   deployed
 */
async function meetStored({ name, old, next }: ContractChange): Promise<Problem[]> {
  const instance = `${name}/old/${++count}`;
  using client = connect<object>('VERSIONED', instance, OPTIONS);
  const before = new Page(client, old.contract);
  await before.run(old);
  const later = await old.keeps?.(before);
  await deploy(client, instance);
  const problems = later ? await problemsOf(later) : [];
  return [...problems, ...(await problemsOf(() => new Page(client, next.contract).run(next)))];
}

async function deploy(client: object, instance: string): Promise<void> {
  const object = env.VERSIONED.getByName(instance);
  await runInDurableObject(object, (_, { storage }) => storage.kv.put('deployed', 'next'));
  await evictDurableObject(object);
  cut(client);
}

async function problemsOf(use: () => Promise<unknown>): Promise<Problem[]> {
  try {
    await use();
    return [];
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return [{ code, message }];
  }
}
