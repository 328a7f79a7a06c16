import { useConnection, useSwitchChain } from 'wagmi';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { words } from '../words/en/frame.ts';

/** Says so if the connected wallet is on another network, with a button that switches it. */
export function WrongNetwork() {
  const connection = useConnection();
  const { chainId, chainName } = useSettings();
  const { mutate: switchChain, isPending, isError } = useSwitchChain();
  if (!connection.isConnected || connection.chainId === chainId) return null;
  return (
    <Notice kind="caution" title={words.wallet.elsewhere} more={words.wallet.elsewhereMore(chainName)}>
      {isError && <p>{words.wallet.notSwitched(chainName)}</p>}
      <button type="button" className="button primary" disabled={isPending} onClick={() => switchChain({ chainId })}>
        {isPending ? words.wallet.lookAtWallet : words.wallet.switchTo(chainName)}
      </button>
    </Notice>
  );
}
