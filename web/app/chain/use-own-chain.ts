import { useConnection, useSwitchChain } from 'wagmi';
import { useSettings } from '../settings.tsx';

/** Whether the wallet is on another network than the page, and how it is asked to change. */
export function useOwnChain() {
  const { chainId } = useSettings();
  const connection = useConnection();
  const { mutateAsync, isPending: isSwitching, isError } = useSwitchChain();
  const isElsewhere = connection.chainId !== chainId;
  return {
    isElsewhere,
    isSwitching,
    /** It was asked, and did not. */
    isStillElsewhere: isElsewhere && isError,
    /** Asks the wallet to switch where it must; false when it did not. */
    switchOver: async (): Promise<boolean> =>
      !isElsewhere || (await mutateAsync({ chainId }).catch(() => undefined)) !== undefined,
  };
}
