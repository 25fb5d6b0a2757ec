/**
 * Follows the pages on plain HTTP in a project: the commands, the programs in Python and Go, with cut connections, and
 * the webhook.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startDevServer } from '../../harness/dev-server.mjs';
import { buildGo } from '../../harness/go.mjs';
import { Proxy } from '../../harness/network-proxy.ts';
import { run } from '../setup/outside.mjs';
import { projects, write } from '../setup/projects.mjs';
import { addObject, apply, blocksOf } from './blocks.mjs';
import { HTTP, http, rewrite } from './sections.mjs';

const { env, scaffold, npm } = projects({ stopAfter: 'all' });

const SECRET = `whsec_${randomBytes(24).toString('base64')}`;
const HOME = 'localhost:8787';

/** @type {string} */
let project;
/** @type {string} */
let url;

beforeAll(async () => {
  project = await scaffold('http');
  write(join(project, '.dev.vars'), `WEBHOOK_SECRET=${SECRET}\n`);
  for (const block of http) {
    apply(block, project);
    if (block.file === 'src/orders.ts') addObject(project, 'Orders', './orders.ts');
  }
  rewrite(join(project, 'src/index.ts'), [
    [/classes: \{/, '$& ORDERS: Orders,'],
    [/^import \{ Counter/m, "import { Orders } from './orders.ts';\n$&"],
  ]);
  await npm(project, 'types');
  await npm(project, 'typecheck');
  ({ url } = await startDevServer(project, [], env));
});

/**
 * @param {import('./blocks.mjs').Block} block
 * @returns {string} the output that the page shows
 */
function outputOf({ guide, line }) {
  const printed = blocksOf(guide).find((block) => block.line > line);
  if (printed?.language !== '') throw new Error(`${guide}:${line} has no output`);
  return printed.text;
}

/** @param {string} path */
const ask = async (path) => /** @type {any} */ ((await fetch(`${url}${path}`)).json());

describe('the commands', () => {
  const commands = blocksOf(HTTP).filter(({ text }) => text.startsWith('curl '));

  test.each(commands)('line $line', async (block) => {
    const command = block.text.replace(HOME, url.replace('http://', '')).trim();
    // The program ends after the first event. curl is told not to show its progress.
    const isFollowing = command.includes('event-stream');
    const ended = isFollowing ? `${command} -m 2 || true` : command;
    const { out } = await run('sh', ['-c', ended.replace('curl ', 'curl -s ')], {
      cwd: project,
      env,
    });
    if (isFollowing) expect(out).toContain('data: 5\n\n');
    else expect(out.trim()).toBe(outputOf(block).trim());
  });
});

describe.each([
  ['Python', 'orders.py', /"tea", "coffee"/],
  ['Go', 'orders.go', /"tea", "coffee"/],
])('the program in %s', (language, file, list) => {
  const block = http.find((one) => one.file === file);

  /**
   * Runs the program with its own address and instance.
   *
   * @param {string} address
   * @param {import('vitest').TestContext} context
   * @param {string[]} items
   */
  async function runProgram(address, context, items = ['tea', 'coffee']) {
    const instance = randomUUID();
    const source = join(project, `${instance}-${file}`);
    const text = block?.text ?? '';
    const own = text
      .replace(`http://${HOME}`, address)
      .replace(/ORDERS\/\w+/, `ORDERS/${instance}`)
      .replace(list, JSON.stringify(items).slice(1, -1));
    write(source, own);
    if (language === 'Go') {
      const program = join(project, instance);
      await buildGo(source, program, context);
      return { instance, out: (await run(program, [], { cwd: project, env })).out };
    }
    try {
      await run('python3', ['--version'], { cwd: project, env });
    } catch {
      context.skip('This test needs Python 3');
    }
    return { instance, out: (await run('python3', [source], { cwd: project, env })).out };
  }

  test('prints the output of the page', async (context) => {
    const { out } = await runProgram(url, context);
    expect(out).toBe(outputOf(/** @type {import('./blocks.mjs').Block} */ (block)));
  });

  test('prints the same through cut connections, and each call runs once', async (context) => {
    const proxy = await new Proxy(Number(new URL(url).port)).listen();
    onTestFinished(() => proxy.close());
    let cuts = 0;
    /** Cuts the rest of an answer or of an event, or a request without an answer, again and again. */
    const cut = () =>
      proxy.cutAfter(100 + Math.floor(Math.random() * 900), 'down', 'reset').then(() => {
        cuts++;
        void cut();
      });
    void cut();
    const items = Array.from({ length: 40 }, (_, i) => `item-${i}`);
    const { instance, out } = await runProgram(proxy.url, context, items);
    const numbers = items.map((_, i) => `${i + 1}\n`);
    const events = items.map((item, i) => `${i + 1} ${item}\n`);
    expect(out).toBe([...numbers, ...events].join(''));
    expect(await ask(`/__rpc/ORDERS/${instance}/latest`)).toMatchObject({ number: items.length });
    expect(cuts).toBeGreaterThan(5);
  });
});

describe('the webhook', () => {
  /**
   * @param {string} id
   * @param {{ secret?: string, age?: number }} [options]
   */
  async function deliver(id, { secret = SECRET, age = 0 } = {}) {
    const time = `${Math.floor(Date.now() / 1000) - age}`;
    const body = JSON.stringify({ item: 'tea' });
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.${time}.${body}`)
      .digest('base64');
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,AAAA v1,${signature}`,
    };
    return fetch(`${url}/webhook`, { method: 'POST', headers, body });
  }

  test('places one order for a delivery that comes three times', async () => {
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await (await deliver('msg_1')).json());
    expect(answers).toEqual([1, 1, 1]);
    expect(await (await deliver('msg_2')).json()).toBe(2);
  });

  test.each([
    ['another secret', { secret: `whsec_${randomBytes(24).toString('base64')}` }],
    ['an old time', { age: 400 }],
  ])('refuses a delivery with %s', async (_, options) => {
    expect((await deliver('msg_3', options)).status).toBe(401);
  });
});
