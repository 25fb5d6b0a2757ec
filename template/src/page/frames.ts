/** Shows the last frames that were sent and received. */
import type { SocketFrame } from 'lumenize-rpc/debug';
import { element } from './elements.ts';

const ROWS = 50;
const LENGTH = 160;

interface Shown extends SocketFrame {
  /** The name of the object that receives or sends the frame. */
  object: string;
}

const frames: Shown[] = [];
let isDue = false;

export function showFrame(object: string, frame: SocketFrame): void {
  frames.push({ object, ...frame });
  if (frames.length > ROWS) frames.shift();
  if (isDue) return;
  isDue = true;
  // The table is updated at most ten times a second, because more updates would disturb the measurements.
  setTimeout(show, 100);
}

function show(): void {
  isDue = false;
  const screen = element('screen');
  const isAtEnd = screen.scrollHeight - screen.scrollTop - screen.clientHeight < 8;
  element('frames').replaceChildren(...frames.map(row));
  if (isAtEnd) screen.scrollTop = screen.scrollHeight;
}

function row({ object, direction, text, bytes }: Shown): HTMLElement {
  const line = document.createElement('tr');
  line.className = direction;
  const more = text.length - LENGTH;
  const shown = more > 0 ? `${text.slice(0, LENGTH)}… and ${more} more characters` : text;
  for (const content of [object, direction, bytes, shown]) {
    line.insertCell().textContent = String(content);
  }
  return line;
}
