/** Live values: methods whose result is sent again whenever it changes. */
import type { Feature } from '../../server/contract/compiled.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import { changed } from '../subscriptions/subscribers.ts';

export const liveValues: Feature = { name: 'live', version: 1, needs: [subscriptions], changed };
