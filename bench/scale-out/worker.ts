/** The template's own worker, under the file name that the performance test's runtime expects. */
export * from '../../template/src/index.ts';
export { default } from '../../template/src/index.ts';
