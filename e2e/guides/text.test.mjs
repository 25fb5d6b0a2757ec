/** What stands in the guides beside their code: commands that exist, and links that lead somewhere. */
import { describe, expect, test } from 'vitest';
import { blocksOf } from './blocks.mjs';
import { commandsOf, problemOf } from './commands.mjs';
import { leadsSomewhere, linksOf } from './links.mjs';
import { guides } from './project.mjs';

test('code is in a language that is checked here', () => {
  const languages = new Set(guides.flatMap(blocksOf).map(({ language }) => language));
  expect([...languages].toSorted()).toEqual(['', 'jsonc', 'sh', 'ts']);
});

describe('commands', () => {
  const commands = guides.flatMap(commandsOf);

  test('are found', () => expect(commands.length).toBeGreaterThan(30));

  test.each(commands)('$guide: $command', ({ guide, command }) => {
    expect(problemOf(command, guide)).toBeUndefined();
  });
});

describe('links', () => {
  const links = guides.flatMap(linksOf);

  test('are found', () => expect(links.length).toBeGreaterThan(10));

  test.each(links)('$guide: $link', ({ guide, link }) => {
    expect(leadsSomewhere(link, guide)).toBe(true);
  });
});
