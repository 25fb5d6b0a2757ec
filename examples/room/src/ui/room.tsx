/** The room: shows its messages and values, which are live, and sends the user's messages. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLive, usePresence, useRpcClient } from 'lumenize-rpc/react';
import type { Message, Room, RoomEvent } from '../room.ts';
import { ConnectionLine, Problem, useCall } from './status.tsx';
import './room.css';

export function RoomPanel() {
  const room = useRpcClient<Room>('ROOM', 'lobby');
  const messages = useLive(room, (methods) => methods.messages(), withEvent);
  const topic = useLive(room, (methods) => methods.getTopic());
  const present = useLive(room, (methods) => methods.countPresent());
  const writing = usePresence(room, (methods) => methods.writing());
  const [problem, call] = useCall();
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const [newTopic, setNewTopic] = useState('');
  const log = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [messages.value]);

  const write = (typed: string): void => {
    setText(typed);
    if (typed) writing.update(name || 'Somebody');
    else writing.update();
  };

  const say = (event: FormEvent): void => {
    event.preventDefault();
    write('');
    call(async () => {
      try {
        await room.say(text, name || undefined);
      } catch (error) {
        setText((typed) => typed || text);
        throw error;
      }
    });
  };

  const setTopic = (event: FormEvent): void => {
    event.preventDefault();
    call(() => room.setTopic(newTopic));
  };

  return (
    <section>
      <h2>Topic: {topic.value === undefined ? '…' : topic.value || 'none'}</h2>
      <ConnectionLine of={room} />
      <p>{present.value ?? '…'} here</p>
      <div className="screen" ref={log} tabIndex={0} role="log" aria-label="Messages">
        <ol>
          {messages.value?.map((message, index) => (
            <li key={index}>
              {message.author}: {message.text}
            </li>
          ))}
        </ol>
      </div>
      <p aria-live="polite">
        {writing.value?.map(({ key, value }) => (
          <span key={key}>{value} is writing… </span>
        ))}
      </p>
      <form className="row" onSubmit={say}>
        <label htmlFor="name">Your name</label>
        <input
          id="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={50}
          autoComplete="nickname"
        />
        <label htmlFor="text">Message</label>
        <input
          id="text"
          className="long"
          value={text}
          onChange={({ target }) => write(target.value)}
          maxLength={2000}
          autoComplete="off"
        />
        <button className="primary">Say it</button>
      </form>
      <form className="row" onSubmit={setTopic}>
        <label htmlFor="new-topic">Another topic</label>
        <input
          id="new-topic"
          className="long"
          value={newTopic}
          onChange={({ target }) => setNewTopic(target.value)}
          maxLength={100}
          autoComplete="off"
        />
        <button>Set topic</button>
      </form>
      <Problem of={[problem, messages.error, topic.error, present.error, writing.error]} />
    </section>
  );
}

/** The feed begins with the recent messages, also when it starts again. */
function withEvent(messages: Message[] = [], event: RoomEvent): Message[] {
  return 'recent' in event ? event.recent : [...messages, event];
}
