/** Values and frames of an iframe, in a page. */
import { readAnyFrame } from '../../src/wire/bytes.ts';
import { wholeFrame } from '../../src/wire/pieces.ts';
import { type Evaluate, textOf } from '../wire/realm-values.ts';

declare const document: {
  createElement(name: string): { contentWindow: { eval: Evaluate } };
  body: { append(element: unknown): void };
};

const frame = document.createElement('iframe');
document.body.append(frame);
const inFrame: Evaluate = (code) => frame.contentWindow.eval(code);
// oxlint-disable-next-line no-eval -- it evaluates the code of the frame
const here: Evaluate = (code) => globalThis.eval(code);

Object.assign(globalThis, {
  textsOf: (source: string) => [textOf(source, here), textOf(source, inFrame)],
  /** Reads a binary frame of an iframe, as a whole and in pieces. */
  readFrame() {
    const code = 'new TextEncoder().encode("[[1,5]]\\0").buffer';
    const whole = inFrame(code) as ArrayBuffer;
    const pieces = inFrame(`[${code}.slice(0, 4), ${code}.slice(4)]`) as ArrayBuffer[];
    return [whole, pieces].map((arrived) => readAnyFrame(wholeFrame(arrived)));
  },
});
