import type { ReactNode } from 'react';
import icon from './icon.svg';
import { SectionIcon } from './parts/section-icon.tsx';
import { type Section, sections } from './sections.ts';
import { useSettings } from './settings.tsx';
import { Account } from './wallet/account.tsx';

interface Props {
  /** Undefined if there are no sections. */
  readonly section: Section | undefined;
  /** Content shown in every section, next to the account. */
  readonly children?: ReactNode;
}

export function Header({ section, children }: Props) {
  const { chainName } = useSettings();
  return (
    <header className="top">
      <a className="brand" href="#/portfolio">
        <img src={icon} alt="" width="28" height="28" />
        <span>Bowline</span>
      </a>
      {section !== undefined && (
        <nav className="tabs" aria-label="Sections">
          {sections.map(({ id, name }) => (
            <a key={id} href={`#/${id}`} aria-current={id === section ? 'page' : undefined}>
              <SectionIcon section={id} />
              <span>{name}</span>
            </a>
          ))}
        </nav>
      )}
      <div className="who">
        <span className="network">
          <span className="dot" aria-hidden="true" />
          <span className="network-name">{chainName}</span>
        </span>
        {children}
        <Account />
      </div>
    </header>
  );
}
