/** Encodes a picture with few colours, such as a screenshot, as a PNG with sixteen colours. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 16;
/** Number of colours for the largest areas. These colours may be similar. */
const AREAS = 6;
/** Least distance of the other colours to those that are chosen already. Each pass uses the next distance. */
const GAPS = [90, 60, 45, 30, 15, 0];

/** @typedef {[red: number, green: number, blue: number]} Colour */

/**
 * @param {object} picture
 * @param {number} picture.width
 * @param {number} picture.height
 * @param {Uint8Array} picture.pixels - four bytes per pixel: red, green, blue, and one that is ignored
 * @returns {Buffer}
 */
export function indexedPng({ width, height, pixels }) {
  const counts = new Map();
  const keyAt = (/** @type {number} */ at) =>
    (Number(pixels[at]) << 16) | (Number(pixels[at + 1]) << 8) | Number(pixels[at + 2]);
  for (let at = 0; at < pixels.length; at += 4) {
    counts.set(keyAt(at), (counts.get(keyAt(at)) ?? 0) + 1);
  }
  const palette = paletteOf([...counts].toSorted(([, a], [, b]) => b - a).map(([key]) => key));
  const indexes = new Map(counts.keys().map((key) => [key, nearest(palette, colourOf(key))]));

  // Each row begins with a byte for its filter: 0, for none. Each other byte holds two pixels.
  const stride = 1 + Math.ceil(width / 2);
  const rows = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const index = Number(indexes.get(keyAt(4 * (y * width + x))));
      const at = y * stride + 1 + (x >> 1);
      rows[at] = Number(rows[at]) | (x % 2 ? index : index << 4);
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(width, height)),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * @param {number[]} keys - every colour of the picture, the most frequent first
 * @returns {Colour[]}
 */
function paletteOf(keys) {
  const palette = keys.slice(0, AREAS).map(colourOf);
  for (const gap of GAPS) {
    for (const colour of keys.map(colourOf)) {
      if (palette.length === COLOURS) return palette;
      if (palette.every((chosen) => distance(chosen, colour) > gap)) palette.push(colour);
    }
  }
  return palette;
}

/**
 * @param {Colour[]} palette
 * @param {Colour} colour
 * @returns {number} an index
 */
function nearest(palette, colour) {
  const distances = palette.map((other) => distance(other, colour));
  return distances.indexOf(Math.min(...distances));
}

/**
 * @param {Colour} one
 * @param {Colour} other
 */
function distance([red, green, blue], other) {
  return Math.abs(red - other[0]) + Math.abs(green - other[1]) + Math.abs(blue - other[2]);
}

/**
 * @param {number} key
 * @returns {Colour}
 */
function colourOf(key) {
  return [key >> 16, (key >> 8) & 0xff, key & 0xff];
}

/**
 * @param {number} width
 * @param {number} height
 */
function header(width, height) {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(width, 0);
  bytes.writeUInt32BE(height, 4);
  // Four bits for each pixel, which is an index into the palette.
  bytes.set([4, 3], 8);
  return bytes;
}

/**
 * @param {string} type
 * @param {Buffer} data
 */
function chunk(type, data) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
