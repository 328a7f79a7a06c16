import { Suspense, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useConnection } from 'wagmi';
import { Ages } from './ages.tsx';
import { SettingsRefused } from './api/pinned.ts';
import { useAgreed } from './api/settings.ts';
import { Arrived } from './arrived.tsx';
import { ConversationProvider } from './ask/conversation.tsx';
import { ForgetReset } from './chain/forget-reset.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import { useNotificationChoice } from './home/notification-choice.ts';
import { NotFound } from './not-found.tsx';
import { ErrorBoundary } from './parts/error-boundary.tsx';
import { lazyPart, untilLoaded } from './parts/lazy-part.tsx';
import { floatingMenu } from './parts/menu.tsx';
import { Skeleton } from './parts/skeleton.tsx';
import { nameOf, sections, titleOf, usePlace } from './routes.tsx';
import { SettingsProvider, useSettings } from './settings.tsx';
import { StopEverything } from './stop/stop-everything.tsx';
import { Tray } from './transactions/tray.tsx';
import { Troubles } from './troubles.tsx';
import { Unavailable } from './unavailable.tsx';
import { words } from './words/en/frame.ts';

const { Part: Watcher } = lazyPart(async () => (await import('./home/watcher.tsx')).Watcher);

/**
 * The frame needs only the pinned settings: it renders before the server answers and regardless of the answer. The
 * sections use the settings that server and build agree on.
 */
export function App() {
  const place = usePlace();
  const title = titleOf(place);
  useEffect(() => {
    document.title = title;
  }, [title]);
  // Loads in parallel with the server's settings. A failure here is reported where the section is shown.
  useEffect(() => void place?.section.load().catch(() => undefined), [place?.section]);
  const { address } = useConnection();
  const { data: agreed, isFetching, refetch } = useAgreed(useSettings());
  const [isStopping, setStopping] = useState(false);
  const stopButton = useRef<HTMLButtonElement>(null);
  const isNotified = useNotificationChoice();
  const isRefused = agreed instanceof SettingsRefused;
  const closeStop = () => {
    flushSync(() => setStopping(false));
    stopButton.current?.focus();
  };
  return (
    <ConversationProvider>
      <ForgetReset />
      <button type="button" className="skip" onClick={toMain}>
        {words.frame.skip}
      </button>
      <Header section={place?.section} hasSections={!isRefused}>
        {address && (
          <button
            type="button"
            ref={stopButton}
            className={isStopping ? 'button danger compact stop taken' : 'button danger compact stop'}
            onClick={() => setStopping(true)}
          >
            {words.frame.stop}
            <span className="stop-more">{words.frame.stopMore}</span>
          </button>
        )}
      </Header>
      {address && (
        <ErrorBoundary key={address} what={words.frame.theStop}>
          <StopEverything owner={address} isOpen={isStopping} close={closeStop} />
        </ErrorBoundary>
      )}
      <ErrorBoundary what={words.frame.theTroubles}>
        <Troubles />
      </ErrorBoundary>
      <ErrorBoundary what={words.frame.theTray}>
        <Tray />
      </ErrorBoundary>
      <main id="main" tabIndex={-1}>
        {agreed === undefined && (
          <>
            <h1 className="unseen">{place ? nameOf(place.section) : 'Bowline'}</h1>
            <Skeleton lines={5} label={words.frame.askingServer} />
          </>
        )}
        {isRefused && <Unavailable refused={agreed} isAsking={isFetching} retry={() => void refetch()} />}
        {agreed !== undefined && !isRefused && (
          <SettingsProvider value={agreed}>
            <Shown place={place} />
            <Ages />
          </SettingsProvider>
        )}
      </main>
      <Footer />
      {agreed !== undefined && !isRefused && isNotified && address && (
        <SettingsProvider value={agreed}>
          <ErrorBoundary key={address} what={words.frame.notifications}>
            <Suspense>
              <Watcher key={address} owner={address} />
            </Suspense>
          </ErrorBoundary>
        </SettingsProvider>
      )}
    </ConversationProvider>
  );
}

/** The section at the current path. */
function Shown({ place }: { readonly place: ReturnType<typeof usePlace> }) {
  if (place === undefined) {
    return (
      <>
        <NotFound />
        <Arrived />
      </>
    );
  }
  const { section, ...rest } = place;
  return (
    <ErrorBoundary key={section.id} what={words.frame.theSection}>
      <Suspense fallback={<Loading name={nameOf(section)} />}>
        <section.Page {...rest} />
        <Arrived />
        <LoadAhead />
      </Suspense>
    </ErrorBoundary>
  );
}

const Loading = ({ name }: { readonly name: string }) => (
  <>
    <h1 className="unseen">{name}</h1>
    <Skeleton lines={5} label={words.frame.loading(name)} />
  </>
);

/** Preloads the other sections, their parts and menus once one is shown, so that they open even without the server. */
function LoadAhead() {
  useEffect(
    () =>
      untilLoaded(
        () => Promise.all([...sections.map(({ loadAll }) => loadAll()), floatingMenu.load()]),
        () => {},
        AHEAD_MS,
      ),
    [],
  );
  return null;
}

/** Delay that leaves the section time for its own requests. */
const AHEAD_MS = 3_000;

/** Not a link, because #main would stay in the URL. */
function toMain(): void {
  document.getElementById('main')?.focus();
}
