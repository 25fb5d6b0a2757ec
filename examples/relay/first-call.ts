/** Reports on a match, and prints the first event that a follower gets. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Match } from './src/match.ts';

const baseUrl = 'http://localhost:8787';
// This client sends calls by POST, which reaches the match itself.
const match = createRpcClient<Match>('MATCH', 'final', { baseUrl, transport: 'http' });
await match.report('Kick-off');
// This client uses a WebSocket, which the option connectTo of routeDORequest leads to a relay.
const followed = createRpcClient<Match>('MATCH', 'final', { baseUrl });
for await (const event of subscribe(followed).reports()) {
  console.log(event);
  // The first event has the last reports. Without this line, the loop goes on with new reports.
  break;
}
followed.close(); // An open connection keeps Node running.
