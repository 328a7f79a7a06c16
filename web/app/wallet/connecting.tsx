import { createContext, type ReactNode, useContext } from 'react';
import { type Connector, useConnect } from 'wagmi';
import { Notice } from '../parts/notice.tsx';
import { useLasting } from '../parts/use-lasting.ts';
import { words } from '../words/en/frame.ts';

interface Connecting {
  readonly connect: (connector: Connector) => void;
  /** Whether a wallet was asked and should not be asked again yet. */
  readonly isAsking: boolean;
  readonly error: Error | null;
  readonly dismiss: () => void;
}

const Context = createContext<Connecting | undefined>(undefined);

/** Time after which a wallet can be asked again: some never answer. */
const SILENCE_MS = 10_000;

/** Allows one wallet request at a time, whichever button made it, and shares its result with the whole page. */
export function ConnectingProvider({ children }: { readonly children: ReactNode }) {
  const { mutate, isPending, error, reset } = useConnect();
  const isSilent = useLasting(isPending, SILENCE_MS);
  const value = {
    connect: (connector: Connector) => mutate({ connector }),
    isAsking: isPending && !isSilent,
    error,
    dismiss: reset,
  };
  return <Context.Provider value={value}>{children}</Context.Provider>;
}

export function useConnecting(): Connecting {
  const connecting = useContext(Context);
  if (connecting === undefined) throw new Error('useConnecting outside of ConnectingProvider');
  return connecting;
}

/** Why the wallet is not connected, after it was asked. */
export function ConnectFailed() {
  const { error, dismiss } = useConnecting();
  if (error === null) return null;
  return (
    <Notice kind="caution" title={words.wallet.notConnected} more={wordsOf(error)}>
      <button type="button" className="button quiet" onClick={dismiss}>
        {words.wallet.ok}
      </button>
    </Notice>
  );
}

/** The error in the page's own words, because a wallet may send any text. */
function wordsOf(error: Error): string {
  const code = (error as { readonly code?: unknown }).code;
  if (code === 4001) return words.wallet.declined;
  if (code === -32_002) return words.wallet.stillAsking;
  return words.wallet.strange;
}
