/** Says something in the room, and prints the messages of the room. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Room } from './src/room.ts';

const baseUrl = 'http://localhost:8787';
const room = createRpcClient<Room>('ROOM', 'lobby', { baseUrl });
await room.say('Hello', 'Ada');
for await (const event of subscribe(room).messages()) {
  console.log(event);
  // The first event has the recent messages. Without this line, the loop goes on with new messages.
  break;
}
room.close(); // An open connection keeps Node running.
