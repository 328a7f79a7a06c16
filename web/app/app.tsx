import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useConnection } from 'wagmi';
import { SettingsRefused } from './api/pinned.ts';
import { useAgreed } from './api/use-agreed.ts';
import { Ask } from './ask/ask.tsx';
import { Buy } from './buy/buy.tsx';
import { Guard } from './guard/guard.tsx';
import { Header } from './header.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { Skeleton } from './parts/skeleton.tsx';
import { Plans } from './plans/plans.tsx';
import { Portfolio } from './portfolio/portfolio.tsx';
import { type Section, useSection } from './sections.ts';
import { SettingsProvider, useSettings } from './settings.tsx';
import { StopEverything } from './stop/stop-everything.tsx';
import { Unavailable } from './unavailable.tsx';

const pages: Readonly<Record<Section, () => React.ReactNode>> = {
  portfolio: Portfolio,
  plans: Plans,
  guard: Guard,
  buy: Buy,
  ask: Ask,
};

/**
 * The frame needs only the pinned settings: it renders before the server has answered, and whatever it answers. The
 * sections use the settings that server and build agree on.
 */
export function App() {
  const section = useSection();
  const { address } = useConnection();
  const { data: agreed, isFetching, refetch } = useAgreed(useSettings());
  const [isStopping, setStopping] = useState(false);
  const stopButton = useRef<HTMLButtonElement>(null);
  const Page = pages[section];
  const isRefused = agreed instanceof SettingsRefused;
  const closeStop = () => {
    flushSync(() => setStopping(false));
    stopButton.current?.focus();
  };
  return (
    <>
      <button type="button" className="skip" onClick={toMain}>
        Skip to the content
      </button>
      <Header section={isRefused ? undefined : section}>
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
      {address && (
        <ErrorBoundary key={address} what="“Stop everything”">
          <StopEverything owner={address} isOpen={isStopping} close={closeStop} />
        </ErrorBoundary>
      )}
      <main id="main" tabIndex={-1}>
        {agreed === undefined && <Skeleton lines={5} label="Asking the page’s server" />}
        {isRefused && <Unavailable refused={agreed} isAsking={isFetching} retry={() => void refetch()} />}
        {agreed !== undefined && !isRefused && (
          <SettingsProvider value={agreed}>
            <ErrorBoundary key={section} what="This section">
              <Page />
            </ErrorBoundary>
          </SettingsProvider>
        )}
      </main>
    </>
  );
}

/** Not a link: the hash is the route, so #main would leave the section. */
function toMain(): void {
  document.getElementById('main')?.focus();
}
