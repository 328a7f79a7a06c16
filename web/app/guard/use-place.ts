import { erc20Abi } from '@bowline/chain/erc20-abi';
import { readPaymentPlace } from '@bowline/chain/lending/own-payments';
import { isNativeMarket } from '@bowline/core/domain/lending';
import type { PaymentKind } from '@bowline/core/domain/own-payments';
import { useQuery } from '@tanstack/react-query';
import { useChain } from '../chain/client.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';

/** How a market takes a payment now, and its contract's allowance. */
export function usePlace({ protocol, borrower }: Loan, kind: PaymentKind, { market, token }: LoanMarket) {
  const client = useChain();
  return useQuery({
    queryKey: ['chain', 'payment-place', protocol.name, borrower, kind, market],
    queryFn: async () => {
      const place = await readPaymentPlace(client, protocol, { borrower, market, kind });
      const allowance = isNativeMarket(protocol, market)
        ? 0n
        : await client.readContract({
            ...{ address: token, abi: erc20Abi, functionName: 'allowance', args: [borrower, place.spender] },
          });
      return { place, allowance };
    },
    refetchInterval: 60_000,
  });
}
