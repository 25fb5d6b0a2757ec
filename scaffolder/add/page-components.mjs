/** Shows the component of an example on the React page that this program made, as long as its main file has that form. */

/** The page's main file. */
export const MAIN_OF_PAGE = 'src/ui/main.tsx';

const MAIN_ELEMENT = /^([ \t]*)<main>\r?\n/gm;
const LAST_IMPORT = /^import .*\n(?!import )/m;

/**
 * @param {string} text - the text of the page's main file
 * @param {import('../examples.mjs').Example} example
 * @returns {string | undefined} the text with the component as the first of the page; undefined if the user has to show it
 */
export function withComponent(text, { component, objects }) {
  const [element, ...others] = text.matchAll(MAIN_ELEMENT);
  const imports = LAST_IMPORT.exec(text);
  if (!component || !element || others.length > 0 || !imports || text.includes(component))
    return undefined;
  const [opening, indentation] = element;
  const imported = `import { ${component} } from './${objects[0]?.module}.tsx';\n`;
  return text
    .replace(opening, `${opening}${indentation}  <${component} />\n`)
    .replace(imports[0], `${imports[0]}${imported}`);
}
