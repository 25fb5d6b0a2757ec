/** Serves the Worker with objects that fail, and sets which parts fail. */
import { TestWorker } from '../../support/test-worker.ts';
import type { Default, Faults } from './worker.ts';

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = { DEFAULT: 'Default', RESIDENT: 'Resident' } as const;
export type Binding = keyof typeof BINDINGS;
export type FailingWorker = TestWorker<Default, Binding>;

export const serve = (): Promise<FailingWorker> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS);

/** Makes parts of an object fail from now on. */
export async function fail(
  { runtime }: FailingWorker,
  instance: string,
  faults: Partial<Record<keyof Faults, number | boolean>>,
  binding: Binding = 'DEFAULT',
): Promise<void> {
  const url = `${runtime.url}/faults/${binding}/${encodeURIComponent(instance)}`;
  await (await fetch(url, { method: 'PUT', body: JSON.stringify(faults) })).text();
}

/** @returns the remaining failures of an object */
export async function leftOf(
  { runtime }: FailingWorker,
  instance: string,
  binding: Binding = 'DEFAULT',
): Promise<Faults> {
  const url = `${runtime.url}/faults/${binding}/${encodeURIComponent(instance)}`;
  return (await fetch(url)).json() as Promise<Faults>;
}
