/** Describes the effects of the changes of a contract, in Markdown for a pull request. */
import { type Break, type Change, nameOf, type Uncompared } from '../changes/compare-contracts.ts';
import { type Meeting, MEETINGS, RULES } from '../changes/rules.ts';

/** The changes, by their effects. */
export interface Judged {
  /** The changes that break something and are not allowed. */
  readonly failing: readonly Change[];
  /** The changes that break something and are allowed or ignored. */
  readonly allowed: readonly Change[];
  readonly harmless: readonly Change[];
}

/**
 * @param allowed - the names of allowed changes
 * @param ignored - the meetings that may break
 */
export function judge(
  changes: readonly Change[],
  allowed: readonly string[],
  ignored: ReadonlySet<Meeting>,
): Judged {
  const harmless = changes.filter(({ breaks }) => breaks.size === 0);
  const isAllowed = (change: Change): boolean =>
    allowed.includes(nameOf(change)) ||
    [...change.breaks.keys()].every((meeting) => ignored.has(meeting));
  const breaking = changes.filter(({ breaks }) => breaks.size > 0);
  return {
    failing: breaking.filter((change) => !isAllowed(change)),
    allowed: breaking.filter(isAllowed),
    harmless,
  };
}

export function formatReport(
  { failing, allowed, harmless }: Judged,
  { unreadable, code }: Uncompared,
): string {
  const others = allowed.length + harmless.length;
  const parts = [
    ...failing.map(formatChange),
    section('Allowed', allowed),
    section('Breaks nothing', harmless),
    places('Not compared, because the library of the schema makes no JSON Schema', unreadable),
    places('Compared without the checks and transforms that are code', code),
    summary(failing.length, others, unreadable.length + code.length > 0),
    orderOf(failing),
  ];
  return parts.filter(Boolean).join('\n\n');
}

function places(title: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `${title}: ${names.map((name) => `\`${name}\``).join(', ')}`;
}

function section(title: string, changes: readonly Change[]): string | undefined {
  if (changes.length === 0) return undefined;
  return `${title}:\n${changes.map((change) => `- ${titleOf(change)}`).join('\n')}`;
}

function titleOf({ place, part, rule }: Change): string {
  return `\`${place}${part}\`: ${RULES[rule].change}`;
}

function formatChange(change: Change): string {
  const lines = [...change.breaks].map(([meeting, found]) => `- ${formatBreak(meeting, found)}`);
  return [
    `### ${titleOf(change)}`,
    '',
    ...lines,
    `- **Instead:** ${RULES[change.rule].instead}`,
    `- ${whenAllowed(change)}: \`npx lumenize-rpc contract --check --allow "${nameOf(change)}"\``,
  ].join('\n');
}

function whenAllowed({ breaks }: Change): string {
  if (breaks.size > 1 || breaks.has('stored')) return 'To allow it all the same';
  return breaks.has('oldPage')
    ? 'Once no old page is open, allow it'
    : 'If no page needs it yet, or if the page waits, allow it';
}

function formatBreak(meeting: Meeting, { effect, isUncertain, acceptance }: Break): string {
  const name = `**${MEETINGS[meeting]}**`;
  if (isUncertain)
    return `${name} may break, because the two schemas cannot be compared: ${effect}`;
  return `${name} breaks: ${effect}${acceptance ? formatExample(acceptance) : ''}`;
}

function formatExample(acceptance: NonNullable<Break['acceptance']>): string {
  if (acceptance.accepts !== 'some' || acceptance.problem === undefined) return '';
  const { example, problem } = acceptance;
  return `, for example for \`${inText(example)}\`: ${problem}`;
}

/** The maximum length of the text of an example. */
const MAX_TEXT = 80;

function inText(value: unknown): string {
  const text =
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? `${inner}n` : typeof inner === 'function' ? 'function' : inner,
    ) ?? String(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

/** @param isPart - whether something was not compared */
function summary(failing: number, others: number, isPart: boolean): string {
  if (failing > 0) {
    return `${count(failing, 'change')} of the contract ${failing === 1 ? 'breaks' : 'break'} something.`;
  }
  if (others === 0) {
    return isPart
      ? 'The parts that could be compared have not changed.'
      : 'The contract has not changed.';
  }
  return `${count(others, 'change')} of the contract, and nothing breaks. Write the file again when you deploy: npx lumenize-rpc contract`;
}

/** Says how to check if every deployment updates the object before the page, so that no page meets an older object. */
function orderOf(failing: readonly Change[]): string | undefined {
  const later = failing.filter(({ breaks }) => breaks.has('newPage') && breaks.size === 1).length;
  if (later === 0) return undefined;
  const subject = later === failing.length ? (later === 1 ? 'It' : 'They') : `${later} of them`;
  const verb = later === 1 ? 'breaks' : 'break';
  return `${subject} ${verb} only new pages that meet an old object. If you always deploy the object before the page, check with \`--ignore new-page\`.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
