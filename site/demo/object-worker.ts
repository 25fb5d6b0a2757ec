/** The web worker with the demo's object. */
import { Counter } from './counter.ts';
import type { OverPort, ToWorker } from './messages.ts';
import { defineGlobals, Runtime } from './platform.ts';

defineGlobals();
const runtime = new Runtime((ctx) => new Counter(ctx, {} as never));

addEventListener('message', ({ data, ports: [port] }: MessageEvent<ToWorker>) => {
  if (data.kind === 'hibernate') runtime.hibernate();
  else if (port) void connect(port, data);
});

/** Carries the frames of a WebSocket over a port. */
async function connect(
  port: MessagePort,
  { url, protocols }: Extract<ToWorker, { kind: 'connect' }>,
): Promise<void> {
  const tell = (message: OverPort): void => port.postMessage(message);
  const socket = await runtime.connect(url, protocols);
  socket.addEventListener('message', (event) =>
    tell({ kind: 'frame', data: (event as MessageEvent).data }),
  );
  socket.addEventListener('close', (event) => {
    const { code, reason } = event as CloseEvent;
    tell({ kind: 'close', code, reason });
  });
  port.addEventListener('message', ({ data }: MessageEvent<OverPort>) => {
    if (data.kind === 'frame') socket.send(data.data);
    if (data.kind === 'close') socket.close(data.code, data.reason);
  });
  port.start();
  tell({ kind: 'open' });
}
