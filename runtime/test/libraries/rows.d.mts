// The libraries' own types are left out: they would add those of a page to all programs.
import type { Row } from './served.ts';

export const EVERYWHERE: Record<string, Row>;
export const IN_A_PAGE: Record<string, Row>;
