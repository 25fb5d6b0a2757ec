import { createInterface } from 'node:readline';
import { capabilities, createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Events } from './src/events.ts';

const baseUrl = process.env['BASE_URL'] ?? 'http://localhost:8787';
const events = createRpcClient<Events>('EVENTS', 'main', { baseUrl, capabilities });
const session = await events.authenticate('demo-token');

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => session.report(line).catch(console.error));
for await (const event of subscribe(session).events()) console.log(event);
