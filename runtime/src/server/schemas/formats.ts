/** The formats of texts that a schema can name. For other formats, use `Type.Refine`. */

const LABEL = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`;
const HOST = String.raw`${LABEL}(?:\.${LABEL})*`;
const ATOM = String.raw`[\w!#$%&'*+/=?^\x60{|}~-]+`;
const BYTE = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const HOURS = String.raw`([01]\d|2[0-3]):[0-5]\d`;
const CHARACTERS = String.raw`(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*`;
const AFTER_SCHEME = String.raw`(?:\/\/(?:(?:[\w.~:!$&'()*+,;=-]|%[\da-f]{2})*@)?\[[\da-f:.]+\](?=[:/?#]|$))?${CHARACTERS}(?:#${CHARACTERS})?`;

/** Matches a whole text. */
function whole(pattern: string): (text: string) => boolean {
  let regExp: RegExp | undefined;
  return (text) => (regExp ??= new RegExp(`^(?:${pattern})$`, 'i')).test(text);
}

const isHost = whole(HOST);
const isClock = whole(String.raw`${HOURS}:([0-5]\d|60)(\.\d+)?(z|[+-]${HOURS})`);

/** For each name of a format, a function that returns whether a text has the format. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': (text) => {
    const [date = '', time = '', ...more] = text.split(/t/i);
    return more.length === 0 && isDate(date) && isTime(time);
  },
  date: isDate,
  time: isTime,
  // Days must not directly follow years, and seconds must not directly follow hours.
  duration: whole(
    String.raw`P(?=\d|T)((\d+Y(?!\d+D))?(\d+M)?(\d+D)?(T(?=\d)(\d+H(?!\d+S))?(\d+M)?(\d+S)?)?|\d+W)`,
  ),
  email: whole(
    String.raw`(${ATOM}(\.${ATOM})*|"([^"\\]|\\[\x20-\x7e])*")@(${HOST}|\[(ipv6:[\da-f:.]+|${BYTE}(\.${BYTE}){3})\])`,
  ),
  hostname: (text) => text.length < 254 && isHost(text),
  ipv4: whole(String.raw`${BYTE}(\.${BYTE}){3}`),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
  uri: whole(String.raw`[a-z][a-z\d+.-]*:${AFTER_SCHEME}`),
  'uri-reference': whole(String.raw`([a-z][a-z\d+.-]*:|(?![^/?#]*:))${AFTER_SCHEME}`),
  url: (text) => URL.canParse(text),
  uuid: whole(String.raw`[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}`),
  'json-pointer': whole('(/([^~/]|~[01])*)*'),
  regex: isPattern,
};

/** Returns whether a text is a regular expression. */
export function isPattern(text: string): boolean {
  try {
    return Boolean(new RegExp(text, 'u'));
  } catch {
    return false;
  }
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // `Date` reads a day such as February 30 as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  if (!isClock(text)) return false;
  if (text[6] !== '6') return true;
  // A leap second must be the last second of a day, in UTC.
  const before = `1970-01-02T${text.replace(':60', ':59').toUpperCase()}`;
  return new Date(before).toISOString().includes('T23:59:59');
}
