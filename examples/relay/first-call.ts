/** Reports on a match, and prints what a follower of it gets through a relay. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Match } from './src/match.ts';
import type { MatchRelay } from './src/match-relay.ts';

const baseUrl = 'http://localhost:8787';
// By POST, which reaches the match itself.
const match = createRpcClient<Match>('MATCH', 'final', { baseUrl, transport: 'http' });
await match.report('Kick-off');
const relay = createRpcClient<MatchRelay>('MATCH_RELAY', 'final/EU/0', { baseUrl });
for await (const event of subscribe(relay).reports()) {
  console.log(event);
  // The first event has the last reports. Without this line, it goes on with new ones.
  break;
}
relay.close(); // An open connection keeps Node running.
