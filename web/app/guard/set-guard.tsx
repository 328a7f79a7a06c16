import { shortAddress } from '@bowline/core/domain/readable';
import { repaymentAtTriggerUp } from '@bowline/core/domain/rescue-size';
import { formatUnits, mulDivUp, WAD } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Hex } from 'viem';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useHeld } from '../chain/use-held.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Folded } from '../parts/folded.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { moneyOf, parseAmount, usdUp } from '../words/amounts.ts';
import { fundingWords } from '../words/en/funding.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import {
  type blankGuard,
  cooldownsWith,
  formOf,
  type GuardDraft,
  readGuardForm,
  suggested,
  termsWith,
  watches,
  withinTotal,
} from './guard-form.ts';
import { guardSteps, termsOf } from './guard-steps.ts';
import { HealthBar } from './health-bar.tsx';
import { inputsOf, MarketChoice, SetForm, type SetProps } from './set-form.tsx';
import { sharedBy } from './shared-approval.ts';
import { SignConsent } from './sign-consent.tsx';
import { fundingSummary, guardSummary } from './summary.ts';
import { triggerHint } from './usual-gap.ts';

/** A form for a guard that pays out of the wallet: two fields, and the rest of its terms folded with their defaults. */
export function SetGuard({ markets, isExtending = false, funding, ...props }: SetProps) {
  const { borrower, loan, owned, replaces, funder } = props;
  const settings = useSettings();
  const { contracts } = settings;
  const { protocol } = loan;
  const now = useChainTime();
  const [chosen, setChosen] = useState(replaces?.market ?? (markets[0]?.market as Hex));
  const market = (markets.find((each) => each.market === chosen) ?? markets[0]) as LoanMarket;
  const [first, setFirst] = useState(() => (replaces ? formOf(replaces, market, isExtending, now) : suggested(market)));
  const [typed, setTyped] = useState<Partial<typeof first>>({});
  // Rescue limits that the user did not type follow the total limit.
  const form = { ...(replaces ? first : withinTotal(first, typed.total, market)), ...typed };
  const set = (changes: Partial<typeof form>) => setTyped({ ...typed, ...changes });
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const { draft, errors } = readGuardForm(form, market, priceWad, replaces, now);
  const { field } = inputsOf(form, set, errors);
  const { data: wallet } = useHeld(funder ?? borrower, market.token);
  const context = { borrower, adapter: protocol.adapter, replaces, funder };
  const steps = draft && now !== undefined ? () => guardSteps(draft, settings, { ...context, now }) : undefined;
  const shared = sharedBy(owned, market, draft?.total, now, replaces);
  const choose = (next: Hex) => {
    const found = markets.find((each) => each.market === next);
    setChosen(next);
    setTyped({});
    if (found) setFirst(suggested(found));
  };
  return (
    <SetForm
      {...{ ...props, market, steps, errors }}
      place={funder ? `fund-${borrower}` : 'new-guard'}
      title={funder ? fundingWords.title(shortAddress(borrower)) : guardWords.newGuard}
      {...(funder && { lead: fundingWords.lead, says: [fundingWords.approve, fundingWords.approved] as const })}
      spender={contracts.loanGuard}
      signed={[form, market.market, String(market.allowance), replaces && String(replaces.id)]}
      // An edited guard may be funded later; a new one that cannot pay would only look like a guard.
      needed={replaces ? undefined : draft?.minRepay}
      waits={now === undefined ? (replaces ? guardWords.approveAndReplace : guardWords.approveAndSet) : undefined}
      sentences={
        draft && now !== undefined
          ? (funder ? fundingSummary : guardSummary)(draft, loan, now, replaces?.keeper)
          : undefined
      }
      next={
        funder && draft && now !== undefined && <SignConsent terms={termsOf(draft, settings, { ...context, now })} />
      }
      bar={barOf(draft, loan)}
      triggerHealthWad={draft?.triggerHealthWad}
    >
      <div className="form-part">
        {funding}
        {field('trigger', guardWords.triggerField, guardWords.healthUnit, triggerHint(loan, settings))}
        <AmountField
          label={guardWords.total}
          value={form.total}
          onChange={(total) => set({ total })}
          unit={market.symbol}
          error={errors.total}
          pay={market}
          held={wallet?.held}
          max={wallet && wallet.held > 0n ? formatUnits(wallet.held, market.decimals) : undefined}
          hint={guardWords.totalHint}
        />
      </div>
      <More
        {...{ form, set, errors, market, choose, loan, replaces, now, priceWad }}
        markets={replaces ? [market] : markets}
      />
      {shared && (
        <Notice kind="caution" title={shared} more={guardWords.sharedMore(moneyOf(market).amount(market.allowance))} />
      )}
    </SetForm>
  );
}

interface MoreProps extends Pick<SetProps, 'loan' | 'markets'> {
  readonly replaces: SetProps['replaces'] | undefined;
  readonly form: typeof blankGuard;
  readonly set: (changes: Partial<typeof blankGuard>) => void;
  readonly errors: ReturnType<typeof readGuardForm>['errors'];
  readonly market: LoanMarket;
  readonly choose: (market: Hex) => void;
  readonly now: bigint | undefined;
  readonly priceWad: bigint;
}

/** The rest of a guard's terms. Open if one of them is wrong or the guard replaces another. */
function More({ form, set, errors, market, choose, loan, markets, replaces, now, priceWad }: MoreProps) {
  const { chainId } = useSettings();
  const { field, choice } = inputsOf(form, set, errors);
  const { name } = loan.protocol;
  const inMoney = (text: string) => {
    const parsed = parseAmount(text, market.decimals);
    return parsed.ok ? usdUp(mulDivUp(parsed.value, priceWad, WAD)) : undefined;
  };
  const [trigger, target] = [parseAmount(form.trigger, 18), parseAmount(form.target, 18)];
  const needed =
    trigger.ok && target.ok && target.value > 0n
      ? repaymentAtTriggerUp({ ...loan, priceWad, triggerHealthWad: trigger.value, targetHealthWad: target.value })
      : 0n;
  return (
    <Folded summary={partWords.moreOptions} isOpen={replaces !== undefined}>
      <div className="form-part">
        <MarketChoice
          {...{ market, markets, choose }}
          label={guardWords.repayWith}
          hint={guardWords.repayWithHint(moneyOf(market).cost(market.debt))}
        />
        <div className="two">
          {field(
            'target',
            guardWords.restoreTo,
            guardWords.healthUnit,
            guardWords.atTrigger(moneyOf(market).cost(needed)),
          )}
          {field('capPerRescue', guardWords.maxPerRescue, market.symbol, inMoney(form.capPerRescue))}
          {field('capPerDay', guardWords.maxPerDay, market.symbol, inMoney(form.capPerDay))}
        </div>
        {choice('cooldown', guardWords.cooldownAfter, cooldownsWith(form.cooldown, chainId === 31_337))}
        {choice('days', guardWords.duration, termsWith(replaces?.expiresAt, now), errors.days)}
        {choice('watch', guardWords.pricesOf, watches(name), guardWords.pricesHint(name))}
      </div>
    </Folded>
  );
}

const barOf = (draft: GuardDraft | undefined, { healthWad, forcedMarkets }: Loan) =>
  draft && healthWad !== undefined && <HealthBar {...draft} {...{ healthWad, forcedMarkets }} />;
