/** Shows the last frames that were sent and received. */
import { element } from './elements.ts';
import type { Frame } from './observed-socket.ts';

const ROWS = 50;
const LENGTH = 160;

const frames: Frame[] = [];
let isDue = false;

export function showFrame(frame: Frame): void {
  frames.push(frame);
  if (frames.length > ROWS) frames.shift();
  if (isDue) return;
  isDue = true;
  // At most ten times a second: more updates would disturb the measurements.
  setTimeout(show, 100);
}

function show(): void {
  isDue = false;
  const screen = element('screen');
  const isAtEnd = screen.scrollHeight - screen.scrollTop - screen.clientHeight < 8;
  element('frames').replaceChildren(...frames.map(row));
  if (isAtEnd) screen.scrollTop = screen.scrollHeight;
}

function row({ object, direction, text, bytes }: Frame): HTMLElement {
  const line = document.createElement('tr');
  line.className = direction;
  const more = text.length - LENGTH;
  const shown = more > 0 ? `${text.slice(0, LENGTH)}… and ${more} more characters` : text;
  for (const content of [object, direction, bytes, shown]) {
    line.insertCell().textContent = String(content);
  }
  return line;
}
