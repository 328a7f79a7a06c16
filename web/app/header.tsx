import type { ReactNode } from 'react';
import { Link } from 'wouter';
import icon from './icon.svg';
import { NetworkName } from './network.tsx';
import { SectionIcon } from './parts/section-icon.tsx';
import { nameOf, type Section, sections } from './routes.tsx';
import { Account } from './wallet/account.tsx';
import { words } from './words/en/frame.ts';

interface Props {
  /** The one that is shown; undefined at a path that leads nowhere. */
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
