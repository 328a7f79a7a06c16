import type { ReactElement } from 'react';
import { Ask } from './ask/Ask.tsx';
import { Buy } from './buy/Buy.tsx';
import { useConfig } from './config.tsx';
import { Guard } from './guard/Guard.tsx';
import { Header } from './parts/Header.tsx';
import { NetworkNotice } from './parts/NetworkNotice.tsx';
import { Plans } from './plans/Plans.tsx';
import { Portfolio } from './portfolio/Portfolio.tsx';
import { useHash } from './useHash.ts';

const sections: readonly { readonly id: string; readonly name: string; readonly view: () => ReactElement }[] = [
  { id: 'portfolio', name: 'Portfolio', view: Portfolio },
  { id: 'plans', name: 'Plans', view: Plans },
  { id: 'guard', name: 'Guard', view: Guard },
  { id: 'buy', name: 'Buy', view: Buy },
  { id: 'ask', name: 'Ask', view: Ask },
];

export function App() {
  const hash = useHash();
  const { chainName } = useConfig();
  const current = sections.find(({ id }) => id === hash) ?? sections[0];
  const View = current?.view ?? Portfolio;
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <Header current={current?.id ?? ''} names={sections.map(({ id, name }) => ({ id, name }))} />
      <main className="page" id="content" key={current?.id}>
        <NetworkNotice />
        <View />
      </main>
      <footer className="foot">
        <p>
          {chainName}. What you sign here are your own permissions; nobody holds your keys, and every run is on chain.
          Not audited.
        </p>
      </footer>
    </>
  );
}
