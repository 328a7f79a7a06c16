import type { Supposed } from '@bowline/chain/lending/reader';
import { guardKey } from '@bowline/core/domain/guard-key';
import { useQuery } from '@tanstack/react-query';
import { thisMoment } from '../api/age.ts';
import { useChain } from '../chain/client.ts';
import type { Guard } from '../chain/read-guards.ts';
import type { Loan } from '../chain/read-loan.ts';
import { useSawBlock } from '../chain/use-clock.ts';
import { useSettings } from '../settings.tsx';

/** A slider's outcome is requested once it rests for this long. */
const REST_MS = 250;
/** Chain and loan change while the sliders stay moved, so the request is repeated. */
const AGAIN_MS = 60_000;

/** What protocol and guards would answer at other prices. A newer move cancels a request before it is sent. */
export function usePreview(loan: Loan, guards: readonly Guard[], supposed: readonly Supposed[]) {
  const client = useChain();
  const { contracts } = useSettings();
  const { protocol, borrower } = loan;
  const sawBlock = useSawBlock();
  const prices = supposed.map(({ market, priceWad }) => [market, String(priceWad)]);
  return useQuery({
    queryKey: ['chain', 'what-if', protocol.name, borrower, guards.map((guard) => String(guardKey(guard))), prices],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      const asked = thisMoment();
      const { previewAt } = await import('@bowline/chain/lending/rescue-preview');
      const preview = await previewAt(client, contracts, loan, guards, supposed);
      return { ...preview, readAt: sawBlock(undefined, asked) };
    },
    enabled: supposed.length > 0,
    refetchInterval: AGAIN_MS,
    retry: false,
    gcTime: AGAIN_MS,
  });
}
