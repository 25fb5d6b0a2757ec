/** VitePress's own theme with the fonts of the reader's system, and a little CSS. */
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

// oxlint-disable-next-line import/no-default-export -- VitePress asks for it.
export default DefaultTheme;
