/** Clients of objects inside the tests of the Workers runtime. */
export { connect, type TransportName, transportNames } from './testing/clients.ts';
export { listen } from './testing/listen.ts';
export { WorkerSocket, workerSocket } from './testing/worker-socket.ts';
