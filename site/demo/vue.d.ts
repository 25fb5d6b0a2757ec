/** Declares components of Vue for the compiler, which does not read them. */
declare module '*.vue' {
  const component: import('vue').Component;
  // oxlint-disable-next-line import/no-default-export -- Vue's compiler writes it.
  export default component;
}
