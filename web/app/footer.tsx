import { Link } from 'wouter';
import { choose } from './words/choice.ts';
import { words } from './words/en/frame.ts';
import { type Language, language, languages } from './words/language.ts';

/** Below every section. The documentation has its own pages, so its link is not a router link. */
export const Footer = () => (
  <footer className="foot">
    <Link href="/check">{words.frame.sections.check}</Link>
    <a href="/docs/">{words.frame.docs}</a>
    {(Object.keys(languages) as Language[])
      .filter((each) => each !== language())
      .map((each) => (
        <button key={each} type="button" className="button quiet small" lang={each} onClick={() => void choose(each)}>
          {languages[each]}
        </button>
      ))}
  </footer>
);
