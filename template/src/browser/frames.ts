/** Shows the last frames that went over the wire, and how many there have been. */
import { element, setText } from './elements.ts';
import type { Frame } from './observed-socket.ts';

const KEPT = 50;
const SHOWN_LENGTH = 160;

const recent: Frame[] = [];
const total = { frames: 0, bytes: 0 };
let isDue = false;

export function showFrame(frame: Frame): void {
  total.frames++;
  total.bytes += frame.bytes;
  recent.push(frame);
  if (recent.length > KEPT) recent.shift();
  if (isDue) return;
  isDue = true;
  // A few times a second: more would disturb what is being measured.
  setTimeout(show, 100);
}

function show(): void {
  isDue = false;
  const screen = element('screen');
  const isAtEnd = screen.scrollHeight - screen.scrollTop - screen.clientHeight < 8;
  element('frames').replaceChildren(...recent.map(row));
  if (isAtEnd) screen.scrollTop = screen.scrollHeight;
  const { frames, bytes } = total;
  setText('traffic', `${count(frames)} frames, ${count(bytes)} bytes, before compression`);
}

function row({ object, direction, text, bytes }: Frame): HTMLElement {
  const item = document.createElement('li');
  const rest = text.length - SHOWN_LENGTH;
  const shown =
    rest > 0 ? `${text.slice(0, SHOWN_LENGTH)}… and ${count(rest)} more characters` : text;
  const cells = [cell(object), cell(direction, direction), cell(count(bytes)), cell(shown)];
  item.replaceChildren(...cells);
  return item;
}

function cell(text: string, className = ''): HTMLElement {
  return Object.assign(document.createElement('span'), { textContent: `${text} `, className });
}

function count(value: number): string {
  return value.toLocaleString('en');
}
