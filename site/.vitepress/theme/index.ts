/** VitePress's own theme with the fonts of the reader's system, a landmark on the start page, and a little CSS. */
import { defineComponent, h, onMounted, watch } from 'vue';
import { type Theme, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

/** On the start page, the theme has no landmark for the main content. On others it has the element `main`. */
const Layout = defineComponent(() => {
  const { frontmatter } = useData();
  const mark = (): void => {
    const content = document.querySelector('.VPContent');
    if (frontmatter.value['layout'] === 'home') content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  };
  onMounted(mark);
  watch(() => frontmatter.value['layout'], mark, { flush: 'post' });
  return () => h(DefaultTheme.Layout);
});

const theme: Theme = { extends: DefaultTheme, Layout };

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it.
export default theme;
