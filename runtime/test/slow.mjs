/**
 * The tests in Node that `npm test` leaves out, relative to this folder: much again from elsewhere, how much memory much
 * takes, or long waits. `npm run test:all` has them.
 */
export const SLOW = [
  'browser/{calls-other-ways,old-page}.node.test.ts',
  'calls/from-node-other-ways.node.test.ts',
  'client/memory.node.test.ts',
  'features/{callbacks,subscriptions}/memory.node.test.ts',
  'features/streams/hibernation.node.test.ts',
  'features/uploads/away.node.test.ts',
  'package/costs.node.test.ts',
];
