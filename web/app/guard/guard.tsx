import type { GuardKey } from '@bowline/core/domain/guard-key';
import { Link } from 'wouter';
import { Title } from '../parts/title.tsx';
import { NeedsWallet } from '../wallet/needs-wallet.tsx';
import { words } from '../words/en/frame.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { GuardById } from './guard-by-id.tsx';
import { OwnLoans } from './own-loans.tsx';

export { loadForms } from './form-parts.tsx';

export function Guard({ guard }: { readonly guard?: GuardKey | undefined }) {
  if (guard !== undefined) return <OneGuard id={guard} />;
  return (
    <>
      <Title title={words.frame.sections.loans} lead={guardWords.lead} />
      <NeedsWallet to={guardWords.purpose}>{(borrower) => <OwnLoans key={borrower} borrower={borrower} />}</NeedsWallet>
    </>
  );
}

function OneGuard({ id }: { readonly id: GuardKey }) {
  return (
    <>
      <Title title={partWords.guard(id)} />
      <GuardById key={String(id)} id={id} />
      <p>
        <Link href="/loans">{guardWords.allGuards}</Link>
      </p>
    </>
  );
}
