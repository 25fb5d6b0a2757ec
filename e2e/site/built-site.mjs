/** The built site, served by `wrangler dev` as the static assets of its Worker. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDevServer } from '../../harness/dev-server.mjs';
import { run, stop } from '../../harness/guarded-process.mjs';
import { REPOSITORY } from '../setup/outside.mjs';

export const SITE = join(REPOSITORY, 'site');
export const BUILT = join(SITE, '.vitepress/dist');

/** Builds the site. @returns {Promise<string>} what the command prints */
export async function buildSite() {
  const env = { ...process.env, NODE_ENV: undefined };
  const { all } = await run('npm', ['run', 'build'], { cwd: SITE, env, output: 'pipe' });
  return all;
}

/** @returns {Promise<{ url: string, stop: () => Promise<unknown> }>} */
export async function serveSite() {
  const { url, server } = await startDevServer(SITE, [], process.env, 'preview');
  return { url, stop: () => stop(server) };
}

/** @returns {Map<string, string>} the HTML of each page, by its path such as `/features/calls` */
export function builtPages() {
  const files = globSync('**/*.html', { cwd: BUILT }).filter((file) => file !== '404.html');
  return new Map(
    files.map((file) => [
      `/${file.replace(/(^index)?\.html$/, '')}`,
      readFileSync(join(BUILT, file), 'utf8'),
    ]),
  );
}
