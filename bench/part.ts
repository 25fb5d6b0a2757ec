/** The type of a part of the bench. */
import type { Row } from './results/rows.ts';

export interface PartOptions {
  /** Whether to show only that everything works. */
  isQuick: boolean;
  /** Whether the results are recorded in the repository, so that pages with figures of this part are written, too. */
  isRecorded: boolean;
  /** Called with a text that says what is being measured. */
  note(text: string): void;
}

export interface Part {
  /** The description in the help, less than a line long. */
  about: string;
  /** About how long the part takes. */
  minutes: number;
  /** Whether the part is measured only when it is named. */
  isOnRequest?: true;
  measure(options: PartOptions): Promise<Row[]>;
}
