import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { WagmiProvider } from 'wagmi';
import type { Settings } from './api/settings.ts';
import { createLine } from './chain/line.ts';
import { LineProvider } from './chain/use-line.tsx';
import { SettingsProvider, useSettings } from './settings.tsx';
import { nodeConfig } from './wallet/config.ts';
import { words } from './words/en/frame.ts';

/** Lets an auditor name a node, if the operator's content policy allows nodes other than the page's own. */
export function OwnNode({ children }: { readonly children: ReactNode }) {
  const settings = useSettings();
  const [typed, setTyped] = useState('');
  const {
    mutate,
    data: own,
    error,
    isPending,
    reset,
  } = useMutation({
    mutationFn: (rpcUrl: string) => readingFrom({ ...settings, rpcUrl }),
    networkMode: 'always',
  });
  if (settings.auditNodes === undefined) return children;
  return (
    <>
      <form
        className="watch"
        onSubmit={(event) => {
          event.preventDefault();
          mutate(typed.trim());
        }}
      >
        <label>
          {words.frame.ownNode(settings.auditNodes.map((each) => (each === 'https:' ? words.frame.anyNode : each)))}
          <input value={typed} spellCheck={false} onChange={({ target }) => setTyped(target.value)} />
        </label>
        <button type="submit" className="button" disabled={isPending || typed.trim() === ''}>
          {words.frame.useNode}
        </button>
        {own && (
          <button type="button" className="button quiet" onClick={reset}>
            {words.frame.usualNode}
          </button>
        )}
        {error && (
          <p className="field-error">
            {error instanceof OtherChain ? words.frame.nodeElsewhere(settings.chainName) : words.frame.nodeUnreached}
          </p>
        )}
      </form>
      {own === undefined ? (
        children
      ) : (
        <SettingsProvider key={own.settings.rpcUrl} value={own.settings}>
          <WagmiProvider config={own.config} reconnectOnMount={false}>
            <LineProvider value={own.line}>
              <QueryClientProvider client={own.queries}>{children}</QueryClientProvider>
            </LineProvider>
          </WagmiProvider>
        </SettingsProvider>
      )}
    </>
  );
}

class OtherChain extends Error {}

/** Everything needed to read from a node. It contains no data from any other node. */
async function readingFrom(settings: Settings) {
  const line = createLine();
  const config = nodeConfig(settings, line);
  const chainId = await config.getClient().request({ method: 'eth_chainId' });
  if (Number(chainId) !== settings.chainId) throw new OtherChain();
  return { settings, line, config, queries: new QueryClient({ defaultOptions: { queries: { retry: 1 } } }) };
}
