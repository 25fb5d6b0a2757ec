/** Changes of the list of methods, and of the number of their arguments. */
import * as Type from '../../../src/typebox.ts';
import { internal } from '../../../src/server.ts';
import type { ContractChange, Version } from '../version.ts';

const text = Type.String({ maxLength: 20 });
const number = Type.Integer();

const greet: Version = { contract: { greet: [text] }, sends: [['greet', 'Ada']] };
const greetTwo: Version = {
  contract: { greet: [text, text] },
  sends: [['greet', 'Ada', 'Dr.']],
};
const greetOptional: Version = {
  contract: { greet: [text, Type.Optional(text)] },
  sends: [
    ['greet', 'Ada'],
    ['greet', 'Ada', 'Dr.'],
  ],
};

export const METHODS: readonly ContractChange[] = [
  {
    name: 'a method is added',
    old: greet,
    next: { contract: { greet: [text], leave: [] }, sends: [['greet', 'Ada'], ['leave']] },
  },
  {
    name: 'a method is removed',
    old: { contract: { greet: [text], leave: [] }, sends: [['greet', 'Ada'], ['leave']] },
    next: greet,
  },
  {
    name: 'a method becomes internal',
    old: { contract: { greet: [text], leave: [] }, sends: [['greet', 'Ada'], ['leave']] },
    next: { ...greet, contract: { greet: [text], leave: internal() } },
  },
  {
    name: 'a method becomes public',
    old: { ...greet, contract: { greet: [text], leave: internal() } },
    next: { contract: { greet: [text], leave: [] }, sends: [['greet', 'Ada'], ['leave']] },
  },
  {
    name: 'an internal method is added and changed',
    old: { ...greet, contract: { greet: [text], leave: internal([text]) } },
    next: { ...greet, contract: { greet: [text], leave: internal([number]), join: internal() } },
  },
  {
    name: 'a method is renamed',
    old: greet,
    next: { contract: { welcome: [text] }, sends: [['welcome', 'Ada']] },
  },
  { name: 'nothing changes', old: greet, next: greet },
  {
    name: 'methods change their order',
    old: { contract: { one: [], two: [] }, sends: [['one'], ['two']] },
    next: { contract: { two: [], one: [] }, sends: [['one'], ['two']] },
  },
  { name: 'an optional argument is added', old: greet, next: greetOptional },
  { name: 'a required argument is added', old: greet, next: greetTwo },
  { name: 'an optional argument is removed', old: greetOptional, next: greet },
  { name: 'a required argument is removed', old: greetTwo, next: greet },
  { name: 'an argument becomes optional', old: greetTwo, next: greetOptional },
  { name: 'an argument becomes required', old: greetOptional, next: greetTwo },
  {
    name: 'arguments of two types change places',
    old: { contract: { set: [text, number] }, sends: [['set', 'a', 1]] },
    next: { contract: { set: [number, text] }, sends: [['set', 1, 'a']] },
  },
  {
    name: 'an argument is added before another one',
    old: { contract: { set: [text] }, sends: [['set', 'a']] },
    next: { contract: { set: [number, text] }, sends: [['set', 1, 'a']] },
  },
];
