/** Tests the configuration for the bare workerd binary. */
import { expect, test } from 'vitest';
import { workerdConfig } from '../../src/wrangler/workerd-config.ts';

test('the configuration has each class once, each binding, and the settings of the project', () => {
  const config = workerdConfig({
    main: 'worker.js',
    compatibilityDate: '2026-01-01',
    compatibilityFlags: ['a', 'b'],
    bindings: [
      { name: 'ONE', class_name: 'Counter' },
      { name: 'TWO', class_name: 'Counter' },
      { name: 'Three' },
    ],
    storage: 'objects',
  });
  expect(config).toContain(`
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["a", "b"],
  durableObjectStorage = (localDisk = "disk"),
  durableObjectNamespaces = [(className = "Counter", uniqueKey = "Counter", enableSql = true), (className = "Three", uniqueKey = "Three", enableSql = true)],
  bindings = [(name = "ONE", durableObjectNamespace = "Counter"), (name = "TWO", durableObjectNamespace = "Counter"), (name = "Three", durableObjectNamespace = "Three")],
`);
  expect(config).toContain('(name = "disk", disk = (path = "objects", writable = true))');
  expect(config).toContain(
    '(name = "http", address = "127.0.0.1:0", http = (), service = "worker")',
  );
});

test('without storage it has variables and modules, and no socket', () => {
  const config = workerdConfig({
    main: 'worker.js',
    modules: ['text.txt'],
    compatibilityDate: '2026-01-01',
    compatibilityFlags: [],
    bindings: [{ name: 'OTHER', class_name: 'Other', script_name: 'another-worker' }],
    vars: { LIMIT: '20', NESTED: { a: 1 } },
  });
  expect(config).toContain(`
  modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "text.txt", text = embed "text.txt")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = [],
  durableObjectStorage = (inMemory = void),
  durableObjectNamespaces = [],
  bindings = [(name = "LIMIT", text = "20"), (name = "NESTED", json = "{\\"a\\":1}")],
`);
  expect(config).not.toContain('sockets');
});
