import { shortAddress } from '@bowline/core/domain/readable';
import { Suspense, useState } from 'react';
import { type Connector, useConnection, useConnectors, useDisconnect } from 'wagmi';
import icon from '../icon.svg';
import { ErrorBoundary } from '../parts/error-boundary.tsx';
import { lazyPart } from '../parts/lazy-part.tsx';
import { Menu } from '../parts/menu.tsx';
import { words } from '../words/en/frame.ts';
import { useConnecting } from './connecting.tsx';
import { phoneWallets, type ShownWallet, shownWallets, walletsOf } from './wallet-names.ts';
import { WatchForm } from './watching.tsx';

interface Props {
  /** Whether there is room for the demo wallet next to the others. */
  readonly hasMore?: boolean;
}

/** The connected account, or a way to connect one. */
export const Account = ({ hasMore = false }: Props) => (
  <ErrorBoundary what={words.wallet.yourWallet}>
    <AccountMenu hasMore={hasMore} />
  </ErrorBoundary>
);

function AccountMenu({ hasMore }: { readonly hasMore: boolean }) {
  const { address, isConnected, isReconnecting } = useConnection();
  const { mutate: disconnect } = useDisconnect();
  if (isConnected && address) {
    return (
      <Menu
        kind="quiet"
        title={
          <>
            <span className="unseen">{words.wallet.account}</span>
            <span className="mono">{shortAddress(address)}</span>
          </>
        }
      >
        <p className="mono full">{address}</p>
        {/* Until the last visit's wallet is connected again, there is nothing to disconnect. */}
        <button type="button" className="button" disabled={isReconnecting} onClick={() => disconnect({})}>
          {words.wallet.disconnect}
        </button>
        <WatchForm />
      </Menu>
    );
  }
  return <ConnectMenu hasMore={hasMore} />;
}

function ConnectMenu({ hasMore }: { readonly hasMore: boolean }) {
  const { connect, isAsking } = useConnecting();
  const { wallets, demo, relayed } = useWallets();
  const [only] = wallets;
  if (only !== undefined && wallets.length === 1 && !relayed) {
    return (
      <div className="buttons">
        <button type="button" className="button primary" disabled={isAsking} onClick={() => connect(only)}>
          {isAsking ? words.wallet.lookAtWallet : words.wallet.connect}
        </button>
        {hasMore && demo && (
          <button type="button" className="button" disabled={isAsking} onClick={() => connect(demo)}>
            {words.wallet.demo}
          </button>
        )}
      </div>
    );
  }
  return (
    <Menu kind="primary" title={isAsking ? words.wallet.lookAtWallet : words.wallet.connect}>
      {wallets.length === 0 && <NoWallet />}
      {shownWallets(wallets, demo !== undefined).map((wallet) => (
        <WalletButton
          key={wallet.connector.uid}
          wallet={wallet}
          isAsking={isAsking}
          connect={() => connect(wallet.connector)}
        />
      ))}
      {relayed && <Relayed connector={relayed} />}
      {demo && <DemoWallet isAsking={isAsking} connect={() => connect(demo)} />}
    </Menu>
  );
}

const { Part: Pairing } = lazyPart(async () => (await import('./pairing.tsx')).Pairing);

/** A wallet on another device. Its code is not loaded until the button is pressed. */
function Relayed({ connector }: { readonly connector: Connector }) {
  const [isPairing, setPairing] = useState(false);
  return (
    <>
      <button type="button" className="button" aria-expanded={isPairing} onClick={() => setPairing(!isPairing)}>
        {connector.name}
      </button>
      {isPairing && (
        <Suspense>
          <Pairing connector={connector} />
        </Suspense>
      )}
    </>
  );
}

const NoWallet = () => (
  <>
    <p>{words.wallet.none}</p>
    <p>{words.wallet.onPhone}</p>
    {phoneWallets(new URL(location.href)).map(({ name, href }) => (
      <a key={name} className="button" href={href} rel="noreferrer">
        {name}
      </a>
    ))}
    <p className="faint">{words.wallet.otherOnPhone}</p>
  </>
);

function useWallets() {
  return walletsOf(useConnectors(), 'ethereum' in window);
}

interface WalletProps {
  readonly isAsking: boolean;
  readonly connect: () => void;
}

/** One of the wallets that announced themselves. */
const WalletButton = ({ wallet, isAsking, connect }: WalletProps & { readonly wallet: ShownWallet }) => (
  <button type="button" className="button wallet" disabled={isAsking} onClick={connect}>
    {wallet.icon === undefined ? <span className="wallet-icon" /> : <Picture src={wallet.icon} />}
    <bdi className="wallet-name">{wallet.name ?? words.wallet.nameless}</bdi>
    {wallet.rdns !== undefined && <span className="faint mono full">{wallet.rdns || words.wallet.noRdns}</span>}
  </button>
);

/** The page's own wallet, set apart from announced wallets in a place that none of them can occupy. */
const DemoWallet = ({ isAsking, connect }: WalletProps) => (
  <fieldset className="own-wallet stack small">
    <legend>{words.wallet.demoOfPage}</legend>
    <button type="button" className="button wallet" disabled={isAsking} onClick={connect}>
      <Picture src={icon} />
      <span className="wallet-name">{words.wallet.demo}</span>
    </button>
    <p className="faint">{words.wallet.demoMore}</p>
  </fieldset>
);

const Picture = ({ src }: { readonly src: string }) => (
  <img className="wallet-icon" src={src} alt="" width="24" height="24" />
);
