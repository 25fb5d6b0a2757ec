/**
 * Tells objects that their code has changed. Vite's development server evaluates a changed module at once, but it makes a
 * new instance of the class only when the object gets its next event. Open pages would wait for that event.
 */
import { PROBE } from '../../wire/messages.ts';
import { namespacesOf, objectIdOf } from '../base/namespaces.ts';
import { isDevelopment } from '../base/development.ts';

/** The environments of the objects in memory, by the name of their class and by their ids. */
const objects = new Map<string, Map<string, object>>();

/**
 * Remembers an instance, which may replace an older instance.
 *
 * @param closeSocketsOfOthers - closes the sockets that belong to an older instance
 */
export function afterConstruction(
  name: string,
  instance: object,
  closeSocketsOfOthers: (instance: object) => void,
): void {
  if (!isDevelopment()) return;
  const { ctx, env } = instance as { ctx: DurableObjectState; env: object };
  const known = objects.get(name) ?? new Map<string, object>();
  objects.set(name, known.set(`${ctx.id}`, env));
  closeSocketsOfOthers(instance);
}

/** Wakes the objects of a class that is defined again. Each then has a new instance, which closes the old sockets. */
export function afterDefinition(name: string): void {
  const known = objects.get(name) ?? [];
  objects.delete(name);
  for (const [id, env] of known) {
    for (const [, namespace] of namespacesOf(env)) void wake(namespace, id);
  }
}

async function wake(namespace: DurableObjectNamespace, id: string): Promise<void> {
  try {
    const found = objectIdOf(namespace, id);
    // The object answers a probe without its class.
    const request = { method: 'POST', headers: { [PROBE]: '' } };
    if (found) await namespace.get(found).fetch('https://object/call', request);
  } catch {
    // The new code has a mistake, which the development server reports.
  }
}
