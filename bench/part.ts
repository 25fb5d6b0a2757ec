/** What a part of the bench is. */
import type { Row } from './results/rows.ts';

export interface PartOptions {
  /** Whether to show only that everything works. */
  isQuick: boolean;
  /** Whether the results are those of the repository, so that pages with figures of this part are written too. */
  isRecorded: boolean;
  /** Called with what is being measured. */
  note(text: string): void;
}

export interface Part {
  /** For the help, less than a line. */
  about: string;
  /** About how long it takes. */
  minutes: number;
  /** Whether it is measured only when it is named. */
  isOnRequest?: true;
  measure(options: PartOptions): Promise<Row[]>;
}
