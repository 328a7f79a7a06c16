import { useState } from 'react';
import { useAccount, useConnect, useConnectors, useDisconnect } from 'wagmi';
import { shortAddress } from '../format.ts';

/** Connects a wallet that has announced itself, and names the one that is connected. */
export function Account() {
  const { address } = useAccount();
  const { mutate: disconnect } = useDisconnect();
  const { mutate: connect, isPending, error } = useConnect();
  const connectors = useConnectors();
  const [isOpen, setOpen] = useState(false);

  if (address !== undefined) {
    return (
      <div className="account">
        <span className="chip num" title={address}>
          {shortAddress(address)}
        </span>
        <button type="button" className="quiet" onClick={() => disconnect({})}>
          Disconnect
        </button>
      </div>
    );
  }
  const [only] = connectors;
  return (
    <div className="account">
      <button
        type="button"
        className="primary"
        disabled={isPending}
        aria-expanded={isOpen}
        onClick={() => (connectors.length === 1 && only ? connect({ connector: only }) : setOpen(!isOpen))}
      >
        {isPending ? 'Look at your wallet …' : 'Connect wallet'}
      </button>
      {isOpen && (
        <div className="menu">
          {connectors.length === 0 && (
            <p>No wallet has announced itself in this browser. Install one that knows BNB Chain, and reload.</p>
          )}
          {connectors.map((connector) => (
            <button
              type="button"
              key={connector.uid}
              onClick={() => {
                setOpen(false);
                connect({ connector });
              }}
            >
              {connector.name}
            </button>
          ))}
        </div>
      )}
      {error && (
        <span role="alert" className="bad">
          The wallet declined.
        </span>
      )}
    </div>
  );
}
