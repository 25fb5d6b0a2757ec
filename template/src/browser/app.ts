/** The demo page: makes its clients and gives each panel the one that it calls. Begin here. */
import type { Counter } from '../counter.ts';
import { createRpcClient } from '../rpc/client.ts';
import { showConnection } from './connection.ts';
import { wireCounter } from './counter-panel.ts';
import { wireFailures } from './failures.ts';
import { showFrame } from './frames.ts';
import { noteState, wireLoss } from './loss.ts';
import { observeSockets } from './observed-socket.ts';
import { wireTimings } from './timings.ts';

const demo = observeSockets('demo', showFrame);
const counter = createRpcClient<Counter>('COUNTER', 'demo', {
  WebSocket: demo.WebSocket,
  // Ten times the default, so that the eye can follow.
  reconnect: { minDelay: 1_000 },
  onStateChange(state, detail) {
    showConnection(state, detail);
    noteState(state, detail);
  },
});

/** Another object of the same class, so that trying things out leaves the visible number alone. */
const trial = observeSockets('trial', showFrame);
const trialCounter = createRpcClient<Counter>('COUNTER', 'trial', { WebSocket: trial.WebSocket });

const showValue = wireCounter(counter);
wireTimings(trialCounter, trial.traffic);
wireFailures(counter, trialCounter);
wireLoss(counter, demo.cut, showValue);
