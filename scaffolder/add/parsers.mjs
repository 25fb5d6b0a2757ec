/**
 * The parsers of configuration files. Only `--add` needs them, so the package has them in a separate
 * bundle, `dist/parsers.cjs`.
 */
export { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
export { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
