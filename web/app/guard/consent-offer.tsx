import { isAccountOf } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { decodeFunctionData, type Hex, isHex, zeroAddress } from 'viem';
import { useLocation } from 'wouter';
import { loanGuardAbi } from '../../../abis/index.ts';
import type { Loan } from '../chain/read-loan.ts';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { coverWords } from '../words/en/coverage.ts';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import { registerStep } from './guard-steps.ts';
import { SetForm, type SetProps } from './set-form.tsx';

interface Props extends Pick<SetProps, 'borrower' | 'owned' | 'covered' | 'isStale'> {
  /** The borrower's, as last read. */
  readonly loans: readonly Loan[];
  /** What the link says. */
  readonly text: string;
}

/** Another account's consent to pay for rescues, which the borrower can make a guard of. */
export function ConsentOffer({ borrower, loans, text, ...shared }: Props) {
  const { contracts, lending } = useSettings();
  const [, go] = useLocation();
  const close = () => go('/loans');
  const terms = termsIn(text);
  if (terms && !sameAddress(terms.borrower, borrower)) {
    return <Notice kind="caution" title={fundingWords.otherBorrower(terms.borrower)} />;
  }
  const loan = terms && loans.find(({ protocol }) => isAccountOf(protocol, terms));
  // That it could not be read is said above: the link is not at fault.
  if (terms && !loan && lending.some((protocol) => isAccountOf(protocol, terms))) return null;
  const market = loan?.markets.find((each) => sameAddress(each.market, terms?.market));
  if (!terms || !loan || !market) return <Notice kind="bad" title={fundingWords.unreadable} />;
  const { exact } = moneyOf(market);
  return (
    <SetForm
      {...{ ...shared, borrower, loan, market, close, signed: [text], errors: {}, waits: undefined }}
      {...{ place: 'consent', spender: undefined, triggerHealthWad: terms.triggerHealthWad }}
      title={fundingWords.offerTitle}
      says={[fundingWords.accept, guardWords.onChain]}
      steps={() => [registerStep(contracts.loanGuard, terms, market.token, text as Hex)]}
      sentences={[
        fundingWords.offers(shortAddress(terms.funder), loan.protocol.name),
        guardWords.heading(health(terms.triggerHealthWad), market.symbol, health(terms.targetHealthWad)),
        guardWords.sumCaps(exact(terms.capPerRescue), exact(terms.capPerDay), duration(BigInt(terms.cooldownSeconds))),
        fundingWords.free,
        ...(terms.keeper === zeroAddress ? [] : [coverWords.onlyByMore(terms.keeper)]),
        guardWords.sumUntil(when(BigInt(terms.expiresAt))),
      ]}
    >
      <p className="faint">
        {guardWords.payer} <code className="full">{terms.funder}</code>
      </p>
    </SetForm>
  );
}

/** What another account has signed in a borrower's call; undefined if it is no such call. */
function termsIn(text: string) {
  if (!isHex(text)) return undefined;
  try {
    const { functionName, args } = decodeFunctionData({ abi: loanGuardAbi, data: text });
    return functionName === 'registerFunded' ? args[0].terms : undefined;
  } catch {
    return undefined;
  }
}
