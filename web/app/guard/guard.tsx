import type { GuardKey } from '@bowline/core/domain/guard-key';
import { Link } from 'wouter';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { guardWords } from '../words/en/guard.ts';
import { GuardById } from './guard-by-id.tsx';
import { OwnLoans } from './own-loans.tsx';

export function Guard({ guard }: { readonly guard?: GuardKey | undefined }) {
  if (guard !== undefined) return <OneGuard id={guard} />;
  return (
    <>
      <div className="title-row">
        <div>
          <h1>{guardWords.title}</h1>
          <p className="lead">{guardWords.lead}</p>
        </div>
      </div>
      <NeedsWallet to={guardWords.purpose}>{(borrower) => <OwnLoans key={borrower} borrower={borrower} />}</NeedsWallet>
    </>
  );
}

function OneGuard({ id }: { readonly id: GuardKey }) {
  return (
    <>
      <div className="title-row">
        <h1>{guardWords.guard(id)}</h1>
      </div>
      <GuardById key={String(id)} id={id} />
      <p>
        <Link href="/loans">{guardWords.allGuards}</Link>
      </p>
    </>
  );
}
