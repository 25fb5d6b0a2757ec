/** The Worker under test: the template's Worker, and the Durable Object of the authentication example. */
import type { Members } from './members.ts';

export * from '../src/index.ts';
export { default } from '../src/index.ts';
export { Members } from './members.ts';

export interface TestEnv extends Env {
  MEMBERS: DurableObjectNamespace<Members>;
}
