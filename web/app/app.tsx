import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useConnection } from 'wagmi';
import { Ask } from './ask/ask.tsx';
import { Buy } from './buy/buy.tsx';
import { Guard } from './guard/guard.tsx';
import { Header } from './header.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Plans } from './plans/plans.tsx';
import { Portfolio } from './portfolio/portfolio.tsx';
import { type Section, useSection } from './sections.ts';
import { StopEverything } from './stop/stop-everything.tsx';

const pages: Readonly<Record<Section, () => React.ReactNode>> = {
  portfolio: Portfolio,
  plans: Plans,
  guard: Guard,
  buy: Buy,
  ask: Ask,
};

export function App() {
  const section = useSection();
  const { address } = useConnection();
  const [isStopping, setStopping] = useState(false);
  const stopButton = useRef<HTMLButtonElement>(null);
  const Page = pages[section];
  const closeStop = () => {
    flushSync(() => setStopping(false));
    stopButton.current?.focus();
  };
  return (
    <>
      <button type="button" className="skip" onClick={toMain}>
        Skip to the content
      </button>
      <Header section={section}>
        {address && (
          <button
            type="button"
            ref={stopButton}
            className={isStopping ? 'button danger stop taken' : 'button danger stop'}
            onClick={() => setStopping(true)}
          >
            Stop<span className="stop-more"> everything</span>
          </button>
        )}
      </Header>
      {address && <StopEverything key={address} owner={address} isOpen={isStopping} close={closeStop} />}
      <main id="main" tabIndex={-1}>
        <ErrorBoundary key={section}>
          <Page />
        </ErrorBoundary>
      </main>
    </>
  );
}

/** No link: the hash is the route, and #main would leave the section. */
function toMain(): void {
  document.getElementById('main')?.focus();
}
