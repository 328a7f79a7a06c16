import { formatUnits } from '@bowline/core/domain/units';
import { useState } from 'react';
import type { Hex } from 'viem';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { useHeld } from '../chain/use-held.ts';
import { AmountField } from '../parts/amount-field.tsx';
import { Choice } from '../parts/choice.tsx';
import { Folded } from '../parts/folded.tsx';
import { Notice } from '../parts/notice.tsx';
import { useSettings } from '../settings.tsx';
import { shortAmount, shortCost } from '../words/amounts.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { cooldownsWith, formOf, type GuardDraft, readGuardForm, suggested, termsWith, watches } from './guard-form.ts';
import { guardSteps } from './guard-steps.ts';
import { HealthBar } from './health-bar.tsx';
import { inputsOf, SetForm, type SetProps } from './set-form.tsx';
import { sharedBy } from './shared-approval.ts';
import { guardSummary } from './summary.ts';
import { triggerHint } from './usual-gap.ts';

/** A form for a guard that pays out of the wallet. */
export function SetGuard({ markets, isExtending = false, ...props }: SetProps) {
  const { borrower, loan, owned, replaces } = props;
  const settings = useSettings();
  const { contracts, chainId } = settings;
  const { protocol } = loan;
  const now = useChainTime();
  const [chosen, setChosen] = useState(replaces?.market ?? (markets[0]?.market as Hex));
  const market = (markets.find((each) => each.market === chosen) ?? markets[0]) as LoanMarket;
  const [form, setForm] = useState(() => (replaces ? formOf(replaces, market, isExtending, now) : suggested(market)));
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const priceWad = loan.prices[market.market.toLowerCase()] ?? 0n;
  const { draft, errors } = readGuardForm(form, market, priceWad, replaces, now);
  const { field, choice } = inputsOf(form, set, errors);
  const { data: wallet } = useHeld(borrower, market.token);
  const steps =
    draft && now !== undefined
      ? () => guardSteps(draft, settings, { borrower, adapter: protocol.adapter, now, replaces })
      : undefined;
  const shared = sharedBy(owned, market, draft?.total, now, replaces);
  return (
    <SetForm
      {...{ ...props, place: 'new-guard', market, steps, errors }}
      title={guardWords.newGuard}
      spender={contracts.loanGuard}
      signed={[form, market.market, String(market.allowance), replaces && String(replaces.id)]}
      // Whoever edits a guard may pay it later; a new one that cannot pay would only look like one.
      needed={replaces ? undefined : draft?.minRepay}
      waits={now === undefined ? (replaces ? guardWords.approveAndReplace : guardWords.approveAndSet) : undefined}
      sentences={draft && now !== undefined ? guardSummary(draft, loan, now, replaces?.keeper) : undefined}
      bar={barOf(draft, loan)}
    >
      <div className="form-part">
        <Choice
          label={guardWords.repayWith}
          options={(replaces ? [market] : markets).map((each) => ({ value: each.market, name: each.symbol }))}
          value={market.market}
          onChange={(next) => {
            const found = markets.find((each) => each.market === next);
            setChosen(next);
            if (found) setForm(suggested(found));
          }}
          hint={guardWords.repayWithHint(`${shortCost(market.debt, market.decimals)} ${market.symbol}`)}
        />
        <div className="two">
          {field('trigger', guardWords.triggerField, guardWords.healthUnit, triggerHint(loan, settings))}
          {field('target', guardWords.restoreTo, guardWords.healthUnit)}
          {field('capPerRescue', guardWords.maxPerRescue, market.symbol)}
          {field('capPerDay', guardWords.maxPerDay, market.symbol)}
        </div>
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
      <Folded summary={partWords.moreOptions} isOpen={replaces !== undefined}>
        <div className="form-part">
          {choice('cooldown', guardWords.cooldownAfter, cooldownsWith(form.cooldown, chainId === 31_337))}
          {choice('days', guardWords.duration, termsWith(replaces?.expiresAt, now), errors.days)}
          {choice('watch', guardWords.pricesOf, watches(protocol.name), guardWords.pricesHint(protocol.name))}
        </div>
      </Folded>
      {shared && (
        <Notice
          kind="caution"
          title={shared}
          more={guardWords.sharedMore(`${shortAmount(market.allowance, market.decimals)} ${market.symbol}`)}
        />
      )}
    </SetForm>
  );
}

const barOf = (draft: GuardDraft | undefined, { healthWad, forcedMarkets }: Loan) =>
  draft && healthWad !== undefined && <HealthBar {...draft} {...{ healthWad, forcedMarkets }} />;
