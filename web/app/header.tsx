import type { ReactNode, RefObject } from 'react';
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
  /** Opens and closes the conversation with the agent. */
  readonly ask: {
    readonly isOpen: boolean;
    readonly toggle: () => void;
    readonly button: RefObject<HTMLButtonElement | null>;
  };
  /** Content shown in every section, next to the account. */
  readonly children?: ReactNode;
}

const tabs = sections.filter(({ isTab }) => isTab).map((section) => ({ path: section.paths[0] ?? '/', section }));

export function Header({ section, hasSections, ask, children }: Props) {
  return (
    <header className="top">
      <Link className="brand" href="/">
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
          <button
            type="button"
            className="tab"
            ref={ask.button}
            aria-expanded={ask.isOpen}
            aria-controls={ask.isOpen ? 'ask-drawer' : undefined}
            onClick={ask.toggle}
          >
            <SectionIcon path="/ask" />
            <span>
              {words.frame.sections.ask}
              <span className="unseen">{words.frame.askMore}</span>
            </span>
          </button>
        </nav>
      )}
      <div className="who">
        <NetworkName />
        {children}
        <Account />
      </div>
    </header>
  );
}
