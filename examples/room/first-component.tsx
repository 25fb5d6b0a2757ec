/** Shows the topic of the room, which is live, and changes it when it is pressed. */
import { createRpcClient } from 'lumenize-rpc/client';
import { useLive } from 'lumenize-rpc/react';

// Declared here, because the types of a page and of the Worker are checked apart.
interface Room {
  getTopic(): string;
  setTopic(topic: string): void;
}

const room = createRpcClient<Room>('ROOM', 'lobby');

export function Topic() {
  const { value } = useLive(room, (methods) => methods.getTopic());
  return <button onClick={() => void room.setTopic('Tea')}>Topic: {value}</button>;
}
