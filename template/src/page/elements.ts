/** Functions that the panels of a page share: for elements, buttons, problems and the state of a connection. */
import { type ConnectionState, RpcError, type ConnectionDetails } from 'lumenize-rpc/client';

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element #${id}`);
  return found;
}

export function setText(id: string, text: unknown): void {
  element(id).textContent = String(text);
}

/** @param mayOverlap - whether the button can be pressed again before its action has ended */
export function onPress(id: string, action: () => Promise<void>, mayOverlap = false): void {
  const button = element(id);
  let running = 0;
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    if (running > 0 && !mayOverlap) return;
    running++;
    button.ariaBusy = 'true';
    // The button is not `disabled`, because it would lose the focus.
    if (!mayOverlap) button.ariaDisabled = 'true';
    await showProblem(button, action);
    if (--running === 0) button.ariaBusy = button.ariaDisabled = 'false';
  });
}

/** Runs an action, and shows its error in the panel of an element. */
export async function showProblem(inPanel: Element, action: () => Promise<void>): Promise<void> {
  const alert = inPanel.closest('section')!.querySelector('[role=alert]')!;
  try {
    await action();
    alert.textContent = '';
  } catch (error) {
    alert.textContent = explain(error);
  }
}

/** Returns the message of an error, with advice if no answer has arrived. */
function explain(error: unknown): string {
  const isUnanswered =
    error instanceof RpcError && (error.code === 'TIMEOUT' || error.code === 'DISCONNECTED');
  if (!isUnanswered) return String(error);
  return `${error}. Is the Worker running (npm run dev)? See README.md, Troubleshooting.`;
}

export function milliseconds(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}

/** Shows the state of a connection, for the option `onStateChange`. Returns the text that it shows. */
export function showConnection(state: ConnectionState, detail: ConnectionDetails): string {
  const { attempt = 0, delay, reason } = detail;
  const next = delay === undefined ? reason : `attempt ${attempt} in ${milliseconds(delay)}`;
  const more = attempt > 1 ? `${next}. Is the Worker running (npm run dev)?` : next;
  const text = `Connection: ${more ? `${state}, ${more}` : state}`;
  setText('connection', text);
  element('connection').dataset['state'] = state;
  return text;
}
