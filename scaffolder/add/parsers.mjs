/**
 * The libraries that read configurations. Only an addition needs them, so the package has them in a
 * file of their own, `dist/parsers.cjs`.
 */
export { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
export { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
