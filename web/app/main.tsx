import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { Router } from 'wouter';
import { agreedQuery, pinnedSettings } from './api/settings.ts';
import { App } from './app.tsx';
import { createLine } from './chain/line.ts';
import { LineProvider } from './chain/use-line.tsx';
import { keepFocus } from './keep-focus.ts';
import { loadAhead } from './routes.tsx';
import { SettingsProvider } from './settings.tsx';
import { TransactionsProvider } from './transactions/use-transactions.tsx';
import { NotBuilt } from './unavailable.tsx';
import { walletConfig } from './wallet/config.ts';
import { ConnectingProvider } from './wallet/connecting.tsx';
import { forAddress, WATCHED } from './wallet/use-owner.ts';
import { onLanguage, speakFirst } from './words/choice.ts';
import './styles.ts';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
const root = createRoot(place);
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 2_000 } } });
const pinned = pinnedSettings();
// Before the first render, so that frame and section appear together if both are available.
loadAhead(location.pathname);
if (pinned !== null) void queries.prefetchQuery(agreedQuery(pinned));
keepFocus();
const line = createLine();
const config = pinned && walletConfig(pinned, line);

const show = () =>
  root.render(
    pinned === null || config === null ? (
      <NotBuilt />
    ) : (
      <StrictMode>
        <WagmiProvider config={config}>
          <QueryClientProvider client={queries}>
            <SettingsProvider value={pinned}>
              <LineProvider value={line}>
                <ConnectingProvider>
                  <Router hrefs={keepWatched} aroundNav={(navigate, to, options) => navigate(keepWatched(to), options)}>
                    <TransactionsProvider>
                      <App />
                    </TransactionsProvider>
                  </Router>
                </ConnectingProvider>
              </LineProvider>
            </SettingsProvider>
          </QueryClientProvider>
        </WagmiProvider>
      </StrictMode>
    ),
  );
speakFirst(show);
// Every element is recreated, so every text is read again; what people have typed stays.
onLanguage(show);

/** Keeps the watched address in links from one section to another. */
function keepWatched(path: string): string {
  const watched = new URLSearchParams(location.search).get(WATCHED);
  return watched === null || path.includes('?') ? path : forAddress(path, encodeURIComponent(watched));
}
