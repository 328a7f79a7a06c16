import { shortAddress } from '@bowline/core/domain/readable';
import { useConnect, useConnection, useConnectors, useDisconnect } from 'wagmi';
import { ErrorBoundary } from '../parts/error-boundary.tsx';

/** The connected account, or a way to connect one. */
export const Account = () => (
  <ErrorBoundary what="Your wallet">
    <AccountMenu />
  </ErrorBoundary>
);

function AccountMenu() {
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
        </div>
      </details>
    );
  }
  return <ConnectMenu />;
}

function ConnectMenu() {
  const { mutate: connect, isPending } = useConnect();
  const wallets = useWallets();
  const [only] = wallets;
  if (only !== undefined && wallets.length === 1) {
    return (
      <button
        type="button"
        className="button primary"
        disabled={isPending}
        onClick={() => connect({ connector: only })}
      >
        {isPending ? 'Look at your wallet …' : 'Connect wallet'}
      </button>
    );
  }
  return (
    <details className="menu">
      <summary className="button primary">Connect wallet</summary>
      <div className="menu-body">
        {wallets.length === 0 ? (
          <p>No wallet was found in this browser. Install one, such as MetaMask or Rabby, and load the page again.</p>
        ) : (
          wallets.map((connector) => (
            <button key={connector.uid} type="button" className="button" onClick={() => connect({ connector })}>
              {nameOf(connector)}
            </button>
          ))
        )}
      </div>
    </details>
  );
}

/** A wallet states its own name, and may state anything. */
const nameOf = ({ name }: { readonly name: unknown }): string =>
  typeof name === 'string' && name.trim() !== '' ? name : 'Wallet without a name';

/** Wallets that announced themselves; window.ethereum only if none did. */
function useWallets() {
  const connectors = useConnectors();
  const announced = connectors.filter(({ id }) => id !== 'injected');
  if (announced.length > 0) return announced;
  return 'ethereum' in window ? connectors : [];
}
