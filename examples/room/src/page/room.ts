/** The room's page: shows the room's messages, and sends the user's messages. */
import { createRpcClient, presence, subscribe } from 'lumenize-rpc/client';
import type { Message, Room } from '../room.ts';
import { element, onPress, setText, showConnection, showProblem } from './elements.ts';

const room = createRpcClient<Room>('ROOM', 'lobby', { onStateChange: showConnection });
const log = element('log');
const messages = element('messages');
const name = element('name') as HTMLInputElement;
const text = element('text') as HTMLInputElement;
const newTopic = element('new-topic') as HTMLInputElement;

void showProblem(messages, async () => {
  for await (const event of subscribe(room).messages()) {
    if (!('recent' in event)) add(event);
    else {
      messages.replaceChildren();
      event.recent.forEach(add);
    }
    log.scrollTop = log.scrollHeight;
  }
});
void showProblem(messages, async () => {
  for await (const topic of subscribe(room).getTopic()) setText('topic', topic || 'none');
});
void showProblem(messages, async () => {
  for await (const count of subscribe(room).countPresent()) setText('present', count);
});

const writing = presence(room, (methods) => methods.writing());
writing.subscribe(({ value: others = [] }) => {
  const names = others.map(({ value }) => value).join(', ');
  setText('writing', names && `${names} writing…`);
});
text.addEventListener('input', sayWhetherWriting);

onPress(
  'say',
  async () => {
    const message = text.value;
    text.value = '';
    sayWhetherWriting();
    try {
      await room.say(message, name.value || undefined);
    } catch (error) {
      text.value ||= message;
      throw error;
    }
  },
  true,
);
onPress('set-topic', () => room.setTopic(newTopic.value));

function sayWhetherWriting(): void {
  if (text.value) writing.update(name.value || 'Somebody');
  else writing.update();
}

function add(message: Message): void {
  const item = document.createElement('li');
  item.textContent = `${message.author}: ${message.text}`;
  messages.appendChild(item);
}
