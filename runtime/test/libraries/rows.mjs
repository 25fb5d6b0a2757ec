/**
 * The rows of `promises.node.test.ts`: what libraries do with the promise of a call. Each row returns `[5]`, the value
 * of the call. Any other result is a failure.
 */
import { Effect } from 'effect';
import { produce } from 'immer';
import _ from 'lodash';
import pMap from 'p-map';
import { createElement as preactElement, render as preactRender } from 'preact';
import { Suspense as PreactSuspense, lazy as preactLazy } from 'preact/compat';
import { createElement, StrictMode, Suspense, use } from 'react';
import { createRoot } from 'react-dom/client';
import {
  firstValueFrom,
  from,
  isObservable,
  lastValueFrom,
  merge,
  of,
  switchMap,
  toArray,
} from 'rxjs';
import { createResource, createRoot as createSolidRoot } from 'solid-js';
import { QueryClient } from '@tanstack/query-core';
import useSWR from 'swr';
import {
  createApp,
  defineAsyncComponent,
  h,
  isReactive,
  isRef,
  reactive,
  ref,
  Suspense as VueSuspense,
  toRaw,
  unref,
} from 'vue';

/** @typedef {Record<string, import('./served.ts').Row>} Rows */

/** @type {Rows} */
export const EVERYWHERE = {
  'lodash: isPlainObject, isElement, isError, isEmpty, cloneDeep': async ({ getValue }) => {
    const call = getValue();
    const looks = [_.isPlainObject(call), _.isElement(call), _.isError(call), _.isFunction(call)];
    return looks.includes(true) || _.toString(call) !== '[object Promise]' || [await call];
  },
  'immer: in a draft': async ({ getValue }) => {
    const call = getValue();
    const { held } = produce(
      { held: /** @type {unknown} */ (0) },
      (draft) => void (draft.held = call),
    );
    return held === call && [await held];
  },
  'RxJS: from': async ({ getValue }) => [await firstValueFrom(from(getValue()))],
  'RxJS: merge and of, which look for a scheduler': async ({ getValue }) => {
    const call = getValue();
    const values = await lastValueFrom(merge(of(0), call).pipe(toArray()));
    const nested = await lastValueFrom(of(0, call).pipe(toArray()));
    return values.length === 2 && nested[1] === call && [values[1]];
  },
  'RxJS: switchMap, isObservable': async ({ getValue }) =>
    !isObservable(getValue()) && [await firstValueFrom(of(1).pipe(switchMap(() => getValue())))],
  'p-map': ({ getValue }) => pMap([getValue()], (one) => one),
  'Effect: promise, isEffect': async ({ getValue }) =>
    !Effect.isEffect(getValue()) && [await Effect.runPromise(Effect.promise(() => getValue()))],
  'TanStack Query': async ({ getValue }) => {
    const client = new QueryClient();
    const found = await client.fetchQuery({ queryKey: ['value'], queryFn: () => getValue() });
    client.clear();
    return [found];
  },
  'Vue: ref, reactive, toRaw': async ({ getValue }) => {
    const call = getValue();
    const held = reactive({ call: ref(call) }).call;
    const isKept =
      !isRef(call) && !isReactive(call) && toRaw(call) === call && unref(held) === call;
    return isKept && [await held];
  },
  'the language: await, all, resolve, then of Promise.prototype': async ({ getValue }) => {
    const call = getValue();
    const values = await Promise.all([
      call,
      Promise.resolve(call),
      Promise.prototype.then.call(call, (found) => found),
      call.finally(() => {}),
    ]);
    return Promise.resolve(call) === call && new Set(values).size === 1 && [values[0]];
  },
  'structuredClone and JSON': async ({ getValue }) => {
    const call = getValue();
    let refused = '';
    try {
      structuredClone(call);
    } catch (error) {
      ({ name: refused } = /** @type {Error} */ (error));
    }
    return (
      refused === 'DataCloneError' && JSON.stringify({ call }) === '{"call":{}}' && [await call]
    );
  },
};

/** @type {Rows} */
export const IN_A_PAGE = {
  'React: use': ({ getValue }) => {
    const call = getValue();
    return rendered((root) => {
      const Value = () => createElement('b', null, use(call));
      const whole = createElement(Suspense, { fallback: '…' }, createElement(Value));
      createRoot(root).render(createElement(StrictMode, null, whole));
    });
  },
  'React: use of a result that has a status of its own': ({ profile }) => {
    const call = profile();
    return rendered((root) => {
      const Value = () => createElement('b', null, use(call).status && 5);
      const whole = createElement(Suspense, { fallback: '…' }, createElement(Value));
      createRoot(root).render(whole);
    });
  },
  'React: a promise as a child': ({ getValue }) => {
    const call = getValue();
    return rendered((root) =>
      createRoot(root).render(
        createElement(
          Suspense,
          { fallback: '…' },
          createElement('b', null, /** @type {never} */ (call)),
        ),
      ),
    );
  },
  SWR: ({ getValue }) =>
    rendered((root) => {
      const key = `value ${Math.random()}`;
      const Value = () => createElement('b', null, useSWR(key, () => getValue()).data);
      createRoot(root).render(createElement(Value));
    }),
  'Vue: an asynchronous component in Suspense': ({ getValue }) => {
    const call = getValue();
    return rendered((root) => {
      const Value = {
        async setup() {
          const found = await call;
          return () => h('b', found);
        },
      };
      const Later = defineAsyncComponent(() => call.then(() => Value));
      createApp({ render: () => h(VueSuspense, null, { default: () => h(Later) }) }).mount(root);
    });
  },
  'Preact: a component that throws the promise': ({ getValue }) => {
    const call = getValue();
    return rendered((root) => {
      const Value = preactLazy(() =>
        call.then((found) => ({ default: () => preactElement('b', null, found) })),
      );
      const inside = [preactElement(Value, null), /** @type {never} */ (null)];
      preactRender(preactElement(PreactSuspense, { fallback: '…' }, inside), root);
    });
  },
  'Solid: createResource': ({ getValue }) =>
    new Promise((resolve) => {
      createSolidRoot(() => {
        const [found] = createResource(() => getValue());
        const look = () => (found.loading ? setTimeout(look, 5) : resolve([found()]));
        look();
      });
    }),
};

/**
 * Renders into a page until the page shows a `<b>`.
 *
 * @param {(root: HTMLElement) => void} render
 * @returns {Promise<number[]>}
 */
export async function rendered(render) {
  const root = document.body.appendChild(document.createElement('div'));
  render(root);
  // A component that renders without end never shows its value.
  for (;;) {
    const shown = root.querySelector('b')?.textContent;
    if (shown) return [Number(shown)];
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
