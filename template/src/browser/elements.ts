/** The page's elements, and what a press of one does. */

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element #${id}`);
  return found;
}

export function setText(id: string, text: unknown): void {
  element(id).textContent = String(text);
}

/** Not pressed again before its action ends; a button that is disabled would lose the focus. */
export function onPress(id: string, action: () => Promise<void>): void {
  const button = element(id);
  button.addEventListener('click', async () => {
    if (button.ariaDisabled === 'true') return;
    button.ariaDisabled = 'true';
    await action().catch((error: unknown) => setText('problem', error));
    button.ariaDisabled = 'false';
  });
}

export function milliseconds(time: number): string {
  return `${time.toFixed(time < 100 ? 1 : 0)} ms`;
}
