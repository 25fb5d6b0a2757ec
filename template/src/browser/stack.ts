/** A stack for people: with the places in src/ while developing, and without the runtime's frames. */

/** The `file:` address of this script in `wrangler dev`, where it has a source map; else empty. */
declare const SCRIPT_FILE: string;

export async function readableStack({ name, message, stack = '' }: Error): Promise<string> {
  if (!SCRIPT_FILE) return stack;
  const local = stack
    .replaceAll(new URL('app.js', location.href).href, SCRIPT_FILE)
    // Two kinds of frames that wrangler does not read: those without a place, and without a name.
    .replaceAll(/\n.*\(index \d+\)/g, '')
    .replaceAll(/at async (\S+)$/gm, 'at async <anonymous> ($1)');
  const response = await fetch('/__stack', {
    method: 'POST',
    // For HTML wrangler answers with a page.
    headers: { Accept: 'application/json' },
    body: JSON.stringify({ name, message, stack: local }),
  });
  return response.ok ? folded(await response.text()) : stack;
}

/** Paths from the project's folder; and one line for neighbouring frames of the runtime. */
function folded(stack: string): string {
  const lines: string[] = [];
  let hidden = 0;
  for (const line of [...stack.split('\n'), '']) {
    const short = line.replace(/(\(|at )\S*\/(src\/\S+:\d+)/, '$1$2');
    if (/[( ]src\/rpc\//.test(short)) hidden++;
    else {
      if (hidden > 0) lines.push(`    … ${hidden} in src/rpc/`);
      hidden = 0;
      lines.push(short);
    }
  }
  return lines.join('\n').trimEnd();
}
