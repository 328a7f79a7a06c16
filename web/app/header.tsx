import type { ReactNode } from 'react';
import { Link } from 'wouter';
import icon from './icon.svg';
import { nameOf, type Section, sections } from './routes.tsx';
import { NetworkName } from './troubles.tsx';
import { Account } from './wallet/account.tsx';
import { words } from './words/en/frame.ts';

interface Props {
  /** The current section; undefined at an unknown path. */
  readonly section: Section | undefined;
  readonly hasSections: boolean;
  /** Content shown in every section, next to the account. */
  readonly children?: ReactNode;
}

const tabs = sections.map((section) => ({ path: section.paths[0] ?? '/', section }));

export function Header({ section, hasSections, children }: Props) {
  return (
    <header className="top">
      <Link className="brand row" href="/">
        <img src={icon} alt="" width="28" height="28" />
        <span>Bowline</span>
      </Link>
      {hasSections && (
        <nav className="tabs" aria-label={words.frame.navigation}>
          {tabs.map(({ path, section: each }) => (
            <Link key={path} href={path} aria-current={each === section ? 'page' : undefined}>
              <SectionIcon path={path} />
              <span>{nameOf(each)}</span>
            </Link>
          ))}
        </nav>
      )}
      <div className="who row">
        <NetworkName />
        {children}
        <Account />
      </div>
    </header>
  );
}

/** Icon paths, keyed by the section's usual path. */
const paths: Readonly<Record<string, string>> = {
  '/': 'M4 11l8-7 8 7v9h-5v-6H9v6H4z',
  '/portfolio': 'M4 19V9m5.300 10V5m5.400 14v-7M20 19V8',
  '/plans': 'M5 7h14v13H5zM5 11h14M9 4v4m6-4v4',
  '/loans': 'M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z',
  '/trade': 'M4 8h13l-3-3m6 11H7l3 3',
  '/ask': 'M4 5h16v11H11l-5 4v-4H4z',
  '/check': 'M5 12l5 5 9-10',
};

const SectionIcon = ({ path }: { readonly path: string }) => (
  <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" className="icon">
    <path d={paths[path] ?? ''} />
  </svg>
);
