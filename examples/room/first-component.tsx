/** Shows the topic of the room, which is live, and changes it when it is pressed. */
import { useLive, useRpcClient } from 'lumenize-rpc/react';

// The interface is declared here, because the types of a page and of the Worker are checked separately.
interface Room {
  getTopic(): string;
  setTopic(topic: string): void;
}

export function Topic() {
  const room = useRpcClient<Room>('ROOM', 'lobby');
  const { value } = useLive(room, (methods) => methods.getTopic());
  return <button onClick={() => void room.setTopic('Tea')}>Topic: {value}</button>;
}
