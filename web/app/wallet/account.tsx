import { shortAddress } from '@bowline/core/domain/readable';
import { useConnection, useConnectors, useDisconnect } from 'wagmi';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { useConnecting } from './connecting.tsx';
import { phoneWallets } from './phone-wallets.ts';
import { walletsOf } from './wallets.ts';
import { WatchForm } from './watching.tsx';

interface Props {
  /** Whether there is room for the demo wallet beside the others. */
  readonly hasMore?: boolean;
}

/** The connected account, or a way to connect one. */
export const Account = ({ hasMore = false }: Props) => (
  <ErrorBoundary what="Your wallet">
    <AccountMenu hasMore={hasMore} />
  </ErrorBoundary>
);

function AccountMenu({ hasMore }: { readonly hasMore: boolean }) {
  const { address, isConnected } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  if (isConnected && address) {
    return (
      <details className="menu">
        <summary className="button quiet">
          <span className="unseen">Account </span>
          <span className="mono">{shortAddress(address)}</span>
        </summary>
        <div className="menu-body">
          <p className="mono full">{address}</p>
          <button type="button" className="button" onClick={() => disconnect({})}>
            Disconnect
          </button>
          <WatchForm />
        </div>
      </details>
    );
  }
  return <ConnectMenu hasMore={hasMore} />;
}

function ConnectMenu({ hasMore }: { readonly hasMore: boolean }) {
  const { connect, isAsking } = useConnecting();
  const { wallets, demo } = useWallets();
  const [only] = wallets;
  const tryDemo = demo && (
    <button type="button" className="button" disabled={isAsking} onClick={() => connect(demo)}>
      Use the demo wallet
    </button>
  );
  if (only !== undefined && wallets.length === 1) {
    return (
      <div className="buttons">
        <button type="button" className="button primary" disabled={isAsking} onClick={() => connect(only)}>
          {isAsking ? 'Look at your wallet …' : 'Connect wallet'}
        </button>
        {hasMore && tryDemo}
      </div>
    );
  }
  return (
    <details className="menu">
      <summary className="button primary">{isAsking ? 'Look at your wallet …' : 'Connect wallet'}</summary>
      <div className="menu-body">
        {wallets.length === 0 && <NoWallet />}
        {wallets.map((connector) => (
          <button
            key={connector.uid}
            type="button"
            className="button"
            disabled={isAsking}
            onClick={() => connect(connector)}
          >
            {nameOf(connector)}
          </button>
        ))}
        {tryDemo}
        {demo && <p className="faint">Its key is public and signs at once, on this local chain alone.</p>}
      </div>
    </details>
  );
}

const NoWallet = () => (
  <>
    <p>No wallet was found in this browser. Install one, such as MetaMask or Rabby, and load the page again.</p>
    <p>On a phone, open this page in your wallet:</p>
    {phoneWallets(new URL(location.href)).map(({ name, href }) => (
      <a key={name} className="button" href={href} rel="noreferrer">
        {name}
      </a>
    ))}
    <p className="faint">In another wallet, the Binance app among them, paste this page’s address into its browser.</p>
  </>
);

/** A wallet states its own name, and may state anything. */
const nameOf = ({ name }: { readonly name: unknown }): string =>
  typeof name === 'string' && name.trim() !== '' ? name : 'Wallet without a name';

function useWallets() {
  return walletsOf(useConnectors(), 'ethereum' in window);
}
