/** The text of `--help`. */
import { OPTIONS } from './options.mjs';

/** @param {(...args: string[]) => string} create - returns the command that starts this program */
export const help = (create) => `\
Writes a Cloudflare Workers project whose Durable Object answers typed, validated RPC calls.

  ${create('[directory]', '[--option ...]')}

Without a directory, it asks for one. If there is no terminal, it exits with 2.

Options
${listing()}

Exit codes
  0 done    1 failed    2 wrong usage    130 interrupted (SIGTERM: 143)
  3 conflict: the directory is in use, or --add would replace something
`;

function listing() {
  const lines = OPTIONS.map(({ name, value, short, on, help: text }) => {
    const option = `--${on ? 'no-' : ''}${name}`;
    return [[option, value].filter(Boolean).join(' ') + (short ? `, -${short}` : ''), text];
  });
  const width = Math.max(...lines.map(([option = '']) => option.length));
  return lines.map(([option = '', text]) => `  ${option.padEnd(width)}  ${text}`).join('\n');
}
