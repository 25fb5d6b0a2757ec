/** Says what to write in a contract that lacks a feature. */
import type { FeatureName } from '../../wire/features.ts';

/** For each feature: the values or messages that need it, the text that brings it, and the place for the text. */
const NEEDS: Readonly<Record<FeatureName, [what: string, write: string, where?: string]>> = {
  subscriptions: ['Subscriptions', 'live(), events(), stream() or rows()'],
  'argument streams': ['Streams as arguments', 'streamOf()'],
  callbacks: ['Functions as arguments', 'callback()'],
  capabilities: ['Capabilities', 'a class made by capability()'],
  presence: ['Presence messages', 'presence()'],
  tracing: ['Traces', 'use: [tracing]', 'the options of the object'],
  bytes: ['Binary frames', 'use: [bytes]', 'the options of the object'],
};

export function explainMissing(feature: FeatureName): string {
  const [what, write, where = 'the contract'] = NEEDS[feature];
  return `${what} are not supported by this object: add ${write} to ${where}`;
}
