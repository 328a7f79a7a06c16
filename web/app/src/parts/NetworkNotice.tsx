import { useAccount, useSwitchChain } from 'wagmi';
import { useConfig } from '../config.tsx';

/** Says so when the wallet is on another chain, and offers to change that. */
export function NetworkNotice() {
  const { chainId: connected, isConnected } = useAccount();
  const { chainId, chainName } = useConfig();
  const { mutate: switchChain, isPending, error } = useSwitchChain();
  if (!isConnected || connected === chainId) return null;
  return (
    <div className="notice warn" role="alert">
      <p>Your wallet is on another network. This page is for {chainName}.</p>
      <button type="button" className="primary" disabled={isPending} onClick={() => switchChain({ chainId })}>
        Switch to {chainName}
      </button>
      {error && <p className="bad">The wallet did not switch.</p>}
    </div>
  );
}
