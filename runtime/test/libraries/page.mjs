/** The script of the page in which the libraries render. */
import { mount } from 'svelte';
import Awaits from './awaits.svelte';
import { EVERYWHERE, IN_A_PAGE, rendered } from './rows.mjs';
import { served } from './served.ts';

const rows = {
  ...EVERYWHERE,
  ...IN_A_PAGE,
  'Svelte: an await block': ({ getValue }) => {
    const call = getValue();
    return rendered((target) => void mount(Awaits, { target, props: { call } }));
  },
};

Object.assign(globalThis, {
  names: Object.keys(rows),
  run: (name, isCapable) => served(isCapable, rows[name]),
});
