import { useConnection, useSwitchChain } from 'wagmi';
import { useSettings } from '../settings.tsx';

/** Whether the wallet is on another network than the page, and a function to switch it. */
export function useOwnChain() {
  const { chainId } = useSettings();
  const connection = useConnection();
  const { mutateAsync, isPending: isSwitching, isError } = useSwitchChain();
  const isElsewhere = connection.chainId !== chainId;
  return {
    isElsewhere,
    isSwitching,
    /** The wallet was asked to switch but did not. */
    isStillElsewhere: isElsewhere && isError,
    /** Asks the wallet to switch if necessary; returns false if it did not. */
    switchOver: async (): Promise<boolean> =>
      !isElsewhere || (await mutateAsync({ chainId }).catch(() => undefined)) !== undefined,
  };
}
