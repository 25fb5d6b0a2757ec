/** The demo page: creates its clients, and passes them to the panels that call them. Begin here. */
import type { Counter } from '../counter.ts';
import type { Pi } from '../pi.ts';
import { createRpcClient } from 'lumenize-rpc/client';
import { showConnection } from './connection.ts';
import { wireCount } from './count.ts';
import { wireFailures } from './failures.ts';
import { showFrame } from './frames.ts';
import { note, wireLoss } from './loss.ts';
import { observeSockets } from './observed-socket.ts';
import { wireStream } from './stream.ts';
import { wireTimings } from './timings.ts';

const demo = observeSockets('demo', showFrame);
const counter = createRpcClient<Counter>('COUNTER', 'demo', {
  WebSocket: demo.WebSocket,
  onStateChange: (state, detail) => note(showConnection(state, detail)),
  // Ten times the default, so that the eye can follow.
  reconnect: { minDelay: 1_000 },
  timeout: 10_000,
});

/** Another object of the same class, so that measurements do not change the visible number. */
const trial = observeSockets('trial', showFrame);
const trialCounter = createRpcClient<Counter>('COUNTER', 'trial', {
  WebSocket: trial.WebSocket,
  timeout: 10_000,
});

const pi = createRpcClient<Pi>('PI', 'demo', {
  WebSocket: observeSockets('pi', showFrame).WebSocket,
  timeout: 10_000,
});

wireCount(counter);
wireTimings(trialCounter, trial.traffic);
wireFailures(counter, trialCounter);
wireLoss(counter, demo.cut);
wireStream(pi);
