/** A worker thread that serves an object by the port that it receives. */
import { type MessagePort, parentPort } from 'node:worker_threads';
import { servePort } from '../../../src/server.ts';
import { till, Till } from './till.ts';

parentPort?.once('message', (port: MessagePort) => servePort(port, new Till(), till));
