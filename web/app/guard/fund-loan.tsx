import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Address } from 'viem';
import { isReadingOld } from '../api/freshness.ts';
import { useMoment } from '../api/use-moment.ts';
import { useChain } from '../chain/client.ts';
import { type Loan, withToken } from '../chain/read-loan.ts';
import { ReadFailed } from '../parts/read-failed.tsx';
import { Skeleton } from '../parts/skeleton.tsx';
import { useSettings } from '../settings.tsx';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { Funding } from './new-guard.tsx';
import { SalePart } from './sale-part.tsx';
import { SetGuard } from './set-guard.tsx';
import { useGuarded } from './use-loan.ts';

interface Props {
  readonly loan: Loan;
  readonly funder: Address;
  /** Whether the newest reading of the loan failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
}

/** Form for a guard on another account's loan. The funder pays from its own wallet or its own deposit. */
export function FundLoan({ loan, funder, isStale, close }: Props) {
  const client = useChain();
  const settings = useSettings();
  const moment = useMoment();
  const [by, setBy] = useState<'wallet' | 'sale'>('wallet');
  const { data, refetch } = useGuarded(funder);
  const owed = loan.markets.filter(({ debt }) => debt > 0n);
  const paid = useQuery({
    queryKey: ['chain', 'paid-by', funder, owed.map(({ market }) => market)],
    queryFn: () => Promise.all(owed.map((market) => withToken(client, settings, market, funder))),
    refetchInterval: 30_000,
    // The borrower's debt may change or end while the form is filled in and the consent is signed.
    enabled: owed.length > 0,
    placeholderData: (before) => before,
  });
  if (paid.error && !paid.data) {
    return <ReadFailed what={guardWords.theGuards} error={paid.error} retry={() => void paid.refetch()} />;
  }
  const owned = data?.guards.data;
  if (owned === undefined && data?.guards.error) {
    return <ReadFailed what={guardWords.theGuards} error={data.guards.error} retry={() => void refetch()} />;
  }
  if (paid.data === undefined || owned === undefined) return <Skeleton label={guardWords.loadingForm} />;
  const { collateralAdapter, name } = loan.protocol;
  const canSell = settings.contracts.collateralGuard !== undefined && collateralAdapter !== undefined;
  const payer = canSell ? data?.loans.find((each) => each.data?.protocol.name === name)?.data : undefined;
  const deposits = payer?.markets.filter(({ supplied }) => supplied > 0n) ?? [];
  const props = {
    ...{ loan, funder, owned, close, markets: paid.data, borrower: loan.borrower },
    isStale: isStale || paid.isError || paid.isPlaceholderData || isReadingOld(owned, moment),
    funding: deposits.length > 0 && <Funding value={by} onChange={setBy} otherwise={fundingWords.fromDeposit} />,
  };
  if (by === 'sale' && deposits.length > 0) return <SalePart {...props} {...{ payer }} collaterals={deposits} />;
  return <SetGuard {...props} />;
}
