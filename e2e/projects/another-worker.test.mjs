/** A Worker that calls the object of another Worker, whose `Env` has other bindings, compiles as the page says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJsonc } from '../../harness/jsonc.mjs';
import { rewrite, sectionOf } from '../guides/sections.mjs';
import { projects, write } from '../setup/projects.mjs';
import { linkPackages } from '../setup/linked-packages.mjs';
import { run } from '../setup/outside.mjs';

const { root, env, scaffold, tsc } = projects({ stopAfter: 'all' });

const COMPILER_OPTIONS = {
  target: 'esnext',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['esnext'],
  types: ['@cloudflare/workers-types'],
  strict: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  noEmit: true,
};
/** `wrangler types` writes this for both configurations. */
const TYPES = `declare namespace Cloudflare {
  interface Env {
    REGION: 'eu';
    COUNTER: DurableObjectNamespace<import('../my-app/src/index').Counter>;
  }
}
interface Env extends Cloudflare.Env {}
`;
const CALL = `import { bindingTransport, createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Counter } from '../../my-app/src/counter.ts';

export async function count(env: Env): Promise<string> {
  const transport = bindingTransport(() => env.COUNTER.getByName('visits'), { socket: true });
  using counter = createRpcClient<Counter>('COUNTER', 'visits', { transport });
  for await (const value of subscribe(counter).getValue()) return env.REGION + value.toFixed();
  return (await env.COUNTER.getByName('visits').increment()) + env.REGION;
}

export async function wrong(counter: ReturnType<typeof createRpcClient<Counter>>): Promise<void> {
  // @ts-expect-error: not a number
  await counter.increment('1');
  // @ts-expect-error: not live in the contract
  subscribe(counter).increment();
}
`;

test('two Workers with different bindings', async () => {
  const project = await scaffold('my-app');
  const bindings = join(project, 'worker-configuration.d.ts');
  write(bindings, readFileSync(bindings, 'utf8').replace(/^\t+COUNTER:/m, 'LIMIT: number;\n$&'));
  rewrite(join(project, 'src/counter.ts'), [
    [/(this\.getValue\(\)) \+ by/, '$1 + by + this.env.LIMIT'],
  ]);
  await tsc(project);

  const other = join(root, 'other');
  const [, declarations, references] = sectionOf('Another Worker');
  const configuration = {
    compilerOptions: COMPILER_OPTIONS,
    include: ['worker-configuration.d.ts', 'src'],
  };
  write(join(other, 'worker-configuration.d.ts'), TYPES);
  write(join(other, 'src/call.ts'), CALL);
  linkPackages(other, '../../my-app/vendor/lumenize-rpc');
  write(join(other, 'tsconfig.json'), JSON.stringify(configuration));
  await expect(tsc(other)).rejects.toThrow("Property 'LIMIT' does not exist on type 'Env'");

  write(join(project, 'tsconfig.declarations.json'), declarations?.text ?? '');
  const added = parseJsonc(references?.text ?? '');
  write(join(other, 'tsconfig.json'), JSON.stringify({ ...configuration, ...added }));
  await run('tsc', ['-b'], { cwd: other, env });
});
