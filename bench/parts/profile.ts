/** The steps of a call in one process, relative to JSON both ways. */
import * as tinybench from 'tinybench';
import { profile } from '../../runtime/src/perf/measure/profile.ts';
import type { Estimate } from '../../runtime/src/perf/measure/statistics.ts';
import type { PartOptions } from '../part.ts';
import type { Ratio, Row } from '../results/rows.ts';

export async function measureProfile({ isQuick }: PartOptions): Promise<Row[]> {
  const { steps, cold, ratios } = await (isQuick ? profile(tinybench, 1, 1) : profile(tinybench));
  const json = 'JSON both ways';
  return [
    ...steps.map(({ name: who, time }): Row => ({
      what: 'a step of a call',
      who,
      value: time.value,
      unit: 'µs',
    })),
    ...cold.map(({ name: who, time }): Row => ({
      what: 'a step of a call, with cold caches',
      who,
      value: time.value,
      unit: 'µs',
    })),
    { what: 'one call in process', who: 'its steps', to: { [json]: tripleOf(ratios.steps) } },
    {
      what: 'one call in process',
      who: 'with proxy, frame, dispatch and promise',
      to: { [json]: tripleOf(ratios.call) },
    },
  ];
}

function tripleOf({ value, low, high }: Estimate): Ratio {
  return [value, low, high];
}
