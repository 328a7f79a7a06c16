import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { WagmiProvider } from 'wagmi';
import { App } from './App.tsx';
import { loadConfig } from './api.ts';
import { ConfigProvider } from './config.tsx';
import './styles.css';
import { walletConfig } from './wallet.ts';

// The page: what it must know of the chain first, then everything.

const root = createRoot(document.getElementById('root') as HTMLElement);
const queries = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: true, staleTime: 2_000 } },
});

try {
  const config = await loadConfig();
  root.render(
    <StrictMode>
      <WagmiProvider config={walletConfig(config)}>
        <QueryClientProvider client={queries}>
          <ConfigProvider value={config}>
            <App />
          </ConfigProvider>
        </QueryClientProvider>
      </WagmiProvider>
    </StrictMode>,
  );
} catch {
  root.render(
    <main className="page">
      <h1>Bowline</h1>
      <p role="alert">This server does not say which chain it is for. Try again in a moment.</p>
    </main>,
  );
}
