/** Tests the configuration for the bare workerd binary. */
import { expect, test } from 'vitest';
import { workerdConfig } from '../../../src/perf/run/workerd-config.ts';

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
