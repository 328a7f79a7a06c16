import { words } from './words/en/frame.ts';

/** Below every section. The documentation is pages of their own, so this is no link of the router. */
export const Footer = () => (
  <footer className="foot">
    <a href="/docs/">{words.frame.docs}</a>
  </footer>
);
