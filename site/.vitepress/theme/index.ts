/** VitePress's own theme with the fonts of the reader's system, a landmark on the start page, and a little CSS. */
import { defineComponent, h, onMounted, watch } from 'vue';
import { type Theme, useData } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

/** The start page and the page of a wrong address have no landmark for the main content. Others have the element `main`. */
const Layout = defineComponent(() => {
  const { frontmatter, page } = useData();
  const lacksMain = (): boolean =>
    frontmatter.value['layout'] === 'home' || page.value.isNotFound === true;
  const mark = (): void => {
    const content = document.querySelector('.VPContent');
    if (lacksMain()) content?.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  };
  onMounted(mark);
  watch(lacksMain, mark, { flush: 'post' });
  return () => h(DefaultTheme.Layout);
});

const theme: Theme = { extends: DefaultTheme, Layout };

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it.
export default theme;
