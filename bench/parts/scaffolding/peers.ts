/**
 * The scaffolders that are compared, and their commands: without questions and, if possible, without installation and
 * without the network. Their versions are in versions.json.
 */

import { CREATE_VITE, SCAFFOLDER } from '../../results/names.ts';

/** The folder that each scaffolder creates. */
export const PROJECT = 'my-app';

export interface Scaffolder {
  readonly name: string;
  readonly command: string;
}

export const ours: Scaffolder = {
  name: SCAFFOLDER,
  command: `create-lumenize-rpc ${PROJECT} --no-install --no-git`,
};

/** The times of the others are divided by this one's. */
export const createVite: Scaffolder = {
  name: CREATE_VITE,
  command: `create-vite ${PROJECT} --template vanilla-ts --no-interactive`,
};

export const others: readonly Scaffolder[] = [
  {
    name: 'sv',
    command: `sv create ${PROJECT} --template minimal --types ts --no-add-ons --no-install`,
  },
  {
    // Without --install, it asks whether to install.
    name: 'create-hono',
    command: `create-hono ${PROJECT} --template cloudflare-workers --pm npm --install --offline`,
  },
  {
    // It always installs.
    name: 'create-cloudflare',
    command: `create-cloudflare ${PROJECT} --type hello-world-durable-object --lang ts --no-git --no-deploy --no-agents`,
  },
];
