/** The text of `--help`. */

/** @param {(...args: string[]) => string} create - spells the command that starts this program */
export const help = (create) => `\
Writes a Cloudflare Workers project whose Durable Object answers typed, validated RPC calls.

  ${create('[directory]', '[--option ...]')}

Without a directory it asks for one, or exits with 2 where there is no terminal to ask on.

Options
  --name <name>     package name; the Worker's name follows from it (default: the directory's name)
  --from <source>   use another template: owner/repo[/folder][#ref] or a git URL, fetched by degit
  --no-install      do not install dependencies
  --no-git          do not create a git repository
  --yes, -y         ask nothing; the directory is my-app unless given
  --help, -h        print this text
  --version, -v     print the version

Exit codes
  0 done    1 failed    2 wrong usage    3 the directory is in use    130 interrupted (SIGTERM: 143)
`;
