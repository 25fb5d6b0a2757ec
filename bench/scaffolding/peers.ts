/**
 * The scaffolders that are compared, with the command by which each is run without questions,
 * without installing and without the network, where it can be. Their versions are in versions.json.
 * Imports nothing.
 */

/** The folder that each is told to make. */
export const PROJECT = 'my-app';

export interface Scaffolder {
  readonly name: string;
  readonly command: string;
}

export const ours: Scaffolder = {
  name: 'create-lumenize-rpc',
  command: `create-lumenize-rpc ${PROJECT} --no-install --no-git`,
};

/** The one that the others are divided by. */
export const createVite: Scaffolder = {
  name: 'create-vite',
  command: `create-vite ${PROJECT} --template vanilla-ts --no-interactive`,
};

export const others: readonly Scaffolder[] = [
  {
    name: 'sv',
    command: `sv create ${PROJECT} --template minimal --types ts --no-add-ons --no-install`,
  },
  {
    // It asks whether to install unless it is told to.
    name: 'create-hono',
    command: `create-hono ${PROJECT} --template cloudflare-workers --pm npm --install --offline`,
  },
  {
    // It always installs.
    name: 'create-cloudflare',
    command: `create-cloudflare ${PROJECT} --type hello-world-durable-object --lang ts --no-git --no-deploy --no-agents`,
  },
];
