/** The counter's value, which is live, and the buttons that change it. */
import { type FormEvent, useRef } from 'react';
import { useLive } from 'lumenize-rpc/react';
import { useCounter } from './clients.ts';
import { ConnectionLine, Problem, useCall } from './status.tsx';

export function CounterPanel() {
  const counter = useCounter();
  const { value, error } = useLive(counter, (methods) => methods.getValue());
  const [problem, call] = useCall();
  const by = useRef<HTMLInputElement>(null);

  const add = (event: FormEvent): void => {
    event.preventDefault();
    call(() => counter.increment(by.current?.valueAsNumber));
  };

  return (
    <section>
      <h2>Count</h2>
      <ConnectionLine of={counter} />
      <output aria-label="Value">{value?.toLocaleString('en') ?? '…'}</output>
      <form className="row" noValidate onSubmit={add}>
        <button type="button" className="primary" onClick={() => call(() => counter.increment())}>
          Increment
        </button>
        <button type="button" onClick={() => call(() => counter.reset())}>
          Reset
        </button>
        <label htmlFor="by">Number to add</label>
        <input id="by" ref={by} type="number" defaultValue={5} />
        <button>Add</button>
      </form>
      <Problem of={[problem, error]} />
    </section>
  );
}
