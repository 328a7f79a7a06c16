import type { ReactNode } from 'react';
import type { Address } from 'viem';
import { useConnection, useSwitchChain } from 'wagmi';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { Account } from './account.tsx';

interface Props {
  /** The purpose of the wallet, as the end of "Connect a wallet to …". */
  readonly to: string;
  readonly children: (owner: Address) => ReactNode;
}

/** Shows its children only for a connected account; on another network it shows one button to switch. */
export function NeedsWallet({ to, children }: Props) {
  const { address, isConnected } = useConnection();
  if (!isConnected || address === undefined) {
    return (
      <div className="empty">
        <h2>Connect a wallet to {to}</h2>
        <p>Any browser wallet will do. Connecting shows this page your address; it allows nothing.</p>
        <Account />
      </div>
    );
  }
  return (
    <>
      <WrongNetwork />
      {children(address)}
    </>
  );
}

function WrongNetwork() {
  const connection = useConnection();
  const { chainId, chainName } = useSettings();
  const { mutate: switchChain, isPending, isError } = useSwitchChain();
  if (connection.chainId === chainId) return null;
  return (
    <Notice kind="caution" title="Your wallet is on another network">
      <p>This page works on {chainName}. Nothing can be signed until your wallet is there too.</p>
      {isError && <p>The wallet did not switch. Choose {chainName} in the wallet itself, or try again.</p>}
      <button type="button" className="button primary" disabled={isPending} onClick={() => switchChain({ chainId })}>
        {isPending ? 'Look at your wallet …' : `Switch to ${chainName}`}
      </button>
    </Notice>
  );
}
