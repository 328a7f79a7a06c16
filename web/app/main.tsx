import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { ActsProvider } from './acts/use-acts.tsx';
import { followHashLinks } from './address-bar.ts';
import { pinnedSettings } from './api/settings.ts';
import { App } from './app.tsx';
import { NotBuilt } from './not-built.tsx';
import { SettingsProvider } from './settings.tsx';
import { walletConfig } from './wallet/config.ts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/forms.css';
import './styles/sections.css';

const place = document.getElementById('root');
if (place === null) throw new Error('index.html has no #root');
const root = createRoot(place);
const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 2_000 } } });
const pinned = pinnedSettings();
followHashLinks();

root.render(
  pinned === null ? (
    <NotBuilt />
  ) : (
    <StrictMode>
      <WagmiProvider config={walletConfig(pinned)}>
        <QueryClientProvider client={queries}>
          <SettingsProvider value={pinned}>
            <ActsProvider>
              <App />
            </ActsProvider>
          </SettingsProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>
  ),
);
