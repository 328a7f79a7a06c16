import { type GuardContracts, guardContractAt } from '@bowline/core/domain/guard-key';
import { isAccountOf } from '@bowline/core/domain/lending';
import { shortAddress } from '@bowline/core/domain/readable';
import { sameAddress } from '@bowline/core/domain/same-address';
import { decodeFunctionData, type Hex, isHex, zeroAddress } from 'viem';
import { useLocation } from 'wouter';
import { collateralGuardAbi, loanGuardAbi } from '../../../abis/index.ts';
import type { Loan } from '../chain/read-loan.ts';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf } from '../words/amounts.ts';
import { coverWords } from '../words/en/coverage.ts';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { health } from '../words/health.ts';
import { duration, when } from '../words/times.ts';
import { registerStep } from './guard-steps.ts';
import { targetWords } from './sale.ts';
import { SetForm, type SetProps } from './set-form.tsx';

interface Props extends Pick<SetProps, 'borrower' | 'owned' | 'covered' | 'isStale'> {
  /** The borrower's loans, as last read. */
  readonly loans: readonly Loan[];
  /** The consent in the link. */
  readonly text: string;
}

/** Another account's consent to pay for rescues, which the borrower can turn into a guard. */
export function ConsentOffer({ borrower, loans, text, ...shared }: Props) {
  const settings = useSettings();
  const { contracts, lending } = settings;
  const [, go] = useLocation();
  const close = () => go('/loans');
  const terms = termsIn(text, contracts);
  if (terms && !sameAddress(terms.borrower, borrower)) {
    return <Notice kind="caution" title={fundingWords.otherBorrower(terms.borrower)} />;
  }
  const of = terms && { adapter: terms.adapter, market: 'debtMarket' in terms ? terms.debtMarket : terms.market };
  const loan = of && loans.find(({ protocol }) => isAccountOf(protocol, of));
  // A failed reading is already reported above; the link is not at fault.
  if (of && !loan && lending.some((protocol) => isAccountOf(protocol, of))) return null;
  const market = loan?.markets.find((each) => sameAddress(each.market, of?.market));
  if (!terms || !loan || !market) return <Notice kind="bad" title={fundingWords.unreadable} />;
  const { exact } = moneyOf(market);
  const { name } = loan.protocol;
  const isSale = 'debtMarket' in terms;
  const call = { to: guardContractAt(contracts, isSale ? 'collateral-0' : 0n), data: text as Hex };
  return (
    <SetForm
      {...{ ...shared, borrower, loan, market, close, isSale, signed: [text], errors: {}, waits: undefined }}
      {...{ place: 'consent', spender: undefined, triggerHealthWad: terms.triggerHealthWad }}
      title={fundingWords.offerTitle}
      says={[fundingWords.accept, guardWords.onChain]}
      steps={() => [registerStep(settings, terms, { repayToken: market.token }, call)]}
      sentences={[
        fundingWords.offers(shortAddress(terms.funder), name),
        ...(isSale ? [fundingWords.depositOffered(name), saleFormWords.needsPrices(name)] : []),
        guardWords.heading(health(terms.triggerHealthWad), market.symbol, targetWords(terms)),
        ...(terms.priceSource === zeroAddress ? [] : [guardWords.sumAlsoChainlink(name, exact(terms.minRepay))]),
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

/** The terms that another account signed, from the borrower's call; undefined if the text is no such call. */
function termsIn(text: string, contracts: GuardContracts) {
  if (!isHex(text)) return undefined;
  const decoded = [loanGuardAbi, ...(contracts.collateralGuard ? [collateralGuardAbi] : [])].map((abi) => {
    try {
      const { functionName, args } = decodeFunctionData({ abi, data: text });
      return functionName === 'registerFunded' ? args[0].terms : undefined;
    } catch {
      return undefined;
    }
  });
  return decoded.find((terms) => terms !== undefined);
}
