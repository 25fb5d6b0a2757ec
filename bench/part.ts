/** The type of a part of the bench. */
import type { Row } from './results/rows.ts';

export interface PartOptions {
  /** True for a short run, which only shows that everything works. */
  isQuick: boolean;
  /** True if the results are written into the repository, and into the pages that show figures of this part. */
  isRecorded: boolean;
  /** Called with a text about the progress. */
  note(text: string): void;
}

export interface Part {
  /** The description in the help, less than a line long. */
  about: string;
  /** The approximate duration of the part. */
  minutes: number;
  /** True for a part that is measured only when it is named. */
  isOnRequest?: true;
  measure(options: PartOptions): Promise<Row[]>;
}
