import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { loadSettings } from './api/settings.ts';
import { App } from './app.tsx';
import { SettingsProvider } from './settings.tsx';
import { Unavailable } from './unavailable.tsx';
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

async function start(): Promise<void> {
  try {
    const settings = await loadSettings();
    root.render(
      <StrictMode>
        <WagmiProvider config={walletConfig(settings)}>
          <QueryClientProvider client={queries}>
            <SettingsProvider value={settings}>
              <App />
            </SettingsProvider>
          </QueryClientProvider>
        </WagmiProvider>
      </StrictMode>,
    );
  } catch (error) {
    root.render(<Unavailable error={error} retry={() => void start()} />);
  }
}

void start();
