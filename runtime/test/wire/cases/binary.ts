/** Bytes, and views of bytes. */
import type { Case } from './case.ts';

const ELEMENT_TYPES = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
  // Some runtimes lack this class.
  ...('Float16Array' in globalThis ? [Float16Array] : []),
];

/** Returns 64 bytes in which neighbours differ. */
function someBytes(): ArrayBuffer {
  return Uint8Array.from({ length: 64 }, (_, index) => index * 37).buffer;
}

export const binaryCases: Case[] = [
  {
    name: 'an ArrayBuffer',
    value: () => Uint8Array.of(1, 2, 255).buffer,
    wire: '[1,"rich",[[1],["ArrayBuffer","AQL/"]]]',
  },
  { name: 'an empty ArrayBuffer', value: () => new ArrayBuffer(0) },
  {
    name: 'every byte',
    value: () => Uint8Array.from({ length: 256 }, (_, byte) => byte),
  },
  { name: 'many bytes', value: () => new Uint8Array(100_000).map((_, index) => index ** 2) },
  ...ELEMENT_TYPES.flatMap((Type): Case[] => [
    { name: `a ${Type.name}`, value: () => new Type(someBytes()) },
    { name: `an empty ${Type.name}`, value: () => new Type(0) },
    { name: `a slice of a ${Type.name}`, value: () => new Type(someBytes(), 16, 3) },
    { name: `the end of a ${Type.name}`, value: () => new Type(someBytes(), 8) },
    { name: `an empty slice of a ${Type.name}`, value: () => new Type(someBytes(), 64, 0) },
  ]),
  {
    name: 'a slice as it is written',
    value: () => Uint8Array.of(1, 2, 255).subarray(1, 2),
    wire: '[1,"rich",[["Uint8Array",[1],0,1],["ArrayBuffer","Ag=="]]]',
  },
  {
    name: 'numbers that JSON lacks',
    value: () => Float64Array.of(-0, Number.NaN, Infinity, -Infinity, Number.MIN_VALUE),
  },
  { name: 'a DataView', value: () => new DataView(someBytes()) },
  { name: 'a slice of a DataView', value: () => new DataView(someBytes(), 5, 7) },
  { name: 'an empty DataView', value: () => new DataView(new ArrayBuffer(0)) },
  {
    name: 'views that share a buffer',
    value: () => {
      const buffer = someBytes();
      return [new Uint8Array(buffer), buffer, new Int16Array(buffer), new DataView(buffer)];
    },
  },
  {
    name: 'the text of a view and an ArrayBuffer that share a buffer',
    value: () => {
      const { buffer } = Uint8Array.of(1, 2, 255);
      return [new Uint8Array(buffer), buffer];
    },
    wire: '[1,"rich",[[["Uint8Array",[1],0,3],[-3]],["ArrayBuffer","AQL/"]]]',
  },
  {
    name: 'views of parts of a buffer, one of them twice',
    value: () => {
      const buffer = someBytes();
      const part = new Uint8Array(buffer, 0, 8);
      return [part, buffer, new Int16Array(buffer, 4), new DataView(buffer, 5), part];
    },
  },
  {
    name: 'views of two equal buffers',
    value: () => [new Uint8Array(someBytes()), new Uint8Array(someBytes())],
  },
];
