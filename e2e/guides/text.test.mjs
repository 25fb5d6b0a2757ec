/** Checks the text of the guides: commands exist, and links lead to existing targets. */
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blocksOf, guides, PAGES } from './blocks.mjs';
import { commandsOf, problemOf } from './commands.mjs';
import { leadsSomewhere, linksOf } from './links.mjs';

/** The guides use only this part of Mermaid. */
const PARTICIPANT = /^ {2}participant (\w+)(?: as [\w ]+)?$/;
const ARROW = /^ {2}(\w+)(?:->>|--x)(\w+): [^;#]+$/;

test('every language of a code block is checked by some test', () => {
  const languages = new Set(guides.flatMap(blocksOf).map(({ language }) => language));
  expect([...languages].toSorted()).toEqual([
    '',
    'go',
    'html',
    'js',
    'json',
    'jsonc',
    'mermaid',
    'python',
    'sh',
    'svelte',
    'ts',
    'tsx',
    'vue',
  ]);
});

test('JSON can be parsed', () => {
  const blocks = guides.flatMap(blocksOf).filter(({ language }) => language === 'json');
  expect(blocks.length).toBeGreaterThan(1);
  for (const { text } of blocks) expect(() => JSON.parse(text)).not.toThrow();
});

describe('diagrams', () => {
  const diagrams = guides.flatMap(blocksOf).filter(({ language }) => language === 'mermaid');

  test('are found', () => expect(diagrams.length).toBeGreaterThan(0));

  test.each(diagrams)('$guide:$line is one of few arrows between its participants', ({ text }) => {
    const [head, ...lines] = text.trimEnd().split('\n');
    expect(head).toBe('sequenceDiagram');
    const names = lines.flatMap((line) => PARTICIPANT.exec(line)?.[1] ?? []);
    const arrows = lines.filter((line) => !PARTICIPANT.test(line));
    expect(arrows.length).toBeLessThan(10);
    for (const line of arrows) {
      const [, from, to] = ARROW.exec(line) ?? [];
      expect(names, line).toEqual(expect.arrayContaining([from, to]));
    }
  });
});

describe('commands', () => {
  const commands = guides.flatMap(commandsOf);

  test('are found', () => expect(commands.length).toBeGreaterThan(30));

  test.each(commands)('$guide: $command', ({ guide, command }) => {
    expect(problemOf(command, guide)).toBeUndefined();
  });
});

test('the index leads to each page', () => {
  const index = 'docs/README.md';
  const targets = new Set(
    linksOf(index).map(({ link }) => join(dirname(index), link.split('#')[0] ?? '')),
  );
  const pages = guides.filter((path) => /^(runtime\/)?docs\//.test(path) && path !== index);
  expect(pages.length).toBeGreaterThan(20);
  expect(pages.filter((page) => !targets.has(page))).toEqual([]);
});

describe("the package's pages", () => {
  const pages = guides.filter((path) => path.startsWith(PAGES));

  test('are all in its README', () => {
    const links = linksOf('runtime/README.md').map(({ link }) =>
      join('runtime', link.split('#')[0] ?? ''),
    );
    const linked = new Set(links);
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.filter((page) => !linked.has(page))).toEqual([]);
  });

  test.each([...pages, 'runtime/README.md'])('%s links only to files of the package', (page) => {
    const outside = linksOf(page).filter(({ link }) =>
      relative('runtime', join(dirname(page), link)).startsWith('..'),
    );
    expect(outside).toEqual([]);
  });
});

describe('links', () => {
  const links = guides.flatMap(linksOf);

  test('are found', () => expect(links.length).toBeGreaterThan(10));

  test.each(links)('$guide: $link', ({ guide, link }) => {
    expect(leadsSomewhere(link, guide)).toBe(true);
  });
});
