/** VitePress's own theme with the fonts of the reader's system, the demo, and a little CSS. */
import { defineAsyncComponent } from 'vue';
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component(
      'CounterDemo',
      defineAsyncComponent(() => import('../../demo/CounterDemo.vue')),
    );
  },
};

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it.
export default theme;
