import { useConnection, useSwitchChain } from 'wagmi';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';

/** Says so if the connected wallet is on another network, with a button that switches it. */
export function WrongNetwork() {
  const connection = useConnection();
  const { chainId, chainName } = useSettings();
  const { mutate: switchChain, isPending, isError } = useSwitchChain();
  if (!connection.isConnected || connection.chainId === chainId) return null;
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
