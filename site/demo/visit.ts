/** A visit to the demo's object: the real client over a network that can be cut. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Counter } from './counter.ts';
import type { ToWorker } from './messages.ts';
import { Network, type Passage, socketsOf } from './network.ts';

/** The state that the page shows. The functions of a visit change it. */
export interface Shown {
  state: string;
  isCut: boolean;
  value: number;
  /** The number of calls of `increment` that the page has made. */
  calls: number;
  /** The number of these calls that were answered. */
  answers: number;
  /** The events of the feed, to which the method appends an event in each run. */
  runs: string[];
  log: { passage: Passage | 'hibernated'; frame: string }[];
}

export interface Visit {
  increment(): Promise<void>;
  /** Makes a call whose answer is lost with the connection. */
  incrementAndLose(): Promise<void>;
  cutOrRestore(): void;
  hibernate(): void;
  end(): void;
}

/** The number of lines that the log keeps. */
const LINES = 200;

export function visit(shown: Shown): Visit {
  const worker = new Worker(new URL('object-worker.ts', import.meta.url), { type: 'module' });
  const log = (passage: Shown['log'][number]['passage'], frame = ''): void => {
    shown.log = [...shown.log, { passage, frame }].slice(-LINES);
    shown.isCut = network.isCut;
  };
  const network = new Network(worker, log);
  const counter = createRpcClient<Counter>('COUNTER', 'demo', {
    baseUrl: 'http://object.example',
    WebSocket: socketsOf(network),
    fetch: () => Promise.reject(new TypeError('The network is cut')),
    onStateChange: (state) => (shown.state = state),
    // A reader who has cut the connection takes time to read.
    timeout: 0,
    reconnect: { maxDelay: 1_000 },
  });
  const increment = async (): Promise<void> => {
    shown.calls++;
    await counter.increment();
    shown.answers++;
  };
  void (async () => {
    for await (const value of subscribe(counter).getValue()) shown.value = value;
  })();
  void (async () => {
    for await (const run of subscribe(counter).runs()) shown.runs = [...shown.runs, run];
  })();
  return {
    increment,
    incrementAndLose() {
      network.loseNextAnswer();
      return increment();
    },
    cutOrRestore: () => (network.isCut ? network.restore() : network.cut()),
    hibernate() {
      const message: ToWorker = { kind: 'hibernate' };
      worker.postMessage(message, []);
      log('hibernated');
    },
    end() {
      counter.close();
      worker.terminate();
    },
  };
}
