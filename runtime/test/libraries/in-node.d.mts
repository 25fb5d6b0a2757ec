// The same as in `rows.d.mts`.
import type { Row } from './served.ts';

export const IN_NODE: Record<string, Row>;
export function bundledPage(): Promise<string>;
