/** What can be asked of a broadcaster. */
import { Type } from 'typebox';

const read = { input: [], readonly: true } as const;
const live = { input: [], readonly: true, live: true } as const;
const text = Type.String();

export const contract = {
  events: read,
  small: read,
  wide: read,
  sayWide: [text, Type.Integer()],
  inbox: { input: [Type.String({ maxLength: 10 })], readonly: true },
  seats: read,
  greeting: { input: [Type.Boolean()], readonly: true },
  taken: read,
  takenAndCursor: read,
  take: [text],
  sayUnsendable: [],
  sayAsSideEffect: [text],
  getSide: live,
  last: live,
  saySmall: [Type.Integer()],
  write: [text, text],
  sayAndThrow: [text],
  sayAndRollBack: [text],
  saySoon: [text],
  sayInAlarm: [Type.Optional(Type.Integer())],
  sayInConstructor: [],
  getTopic: live,
  setTopic: [text],
  setTopicSoon: [text],
  mine: live,
  repeat: { input: [Type.Unknown()], readonly: true, live: true },
  failing: live,
  late: live,
  nothing: live,
  expiring: live,
  setTopicAndThrow: [text],
  notLive: read,
  runs: read,
  lives: read,
  rowsWritten: read,
  keys: read,
  forgetAll: [],
} as const;
