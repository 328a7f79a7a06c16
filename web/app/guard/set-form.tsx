import { guardKey } from '@bowline/core/domain/guard-key';
import type { Sale } from '@bowline/core/domain/permissions';
import { type ReactNode, useState } from 'react';
import type { Address } from 'viem';
import { useConnection } from 'wagmi';
import { useMoment } from '../api/use-moment.ts';
import { unwatchedMore } from '../chain/coverage/coverage-words.ts';
import type { Covered } from '../chain/coverage/use-covered.ts';
import type { Guard, OwnedGuards } from '../chain/read-guards.ts';
import type { Loan, LoanMarket } from '../chain/read-loan.ts';
import { isNotKnown, whyUnwatched } from '../chain/serving.ts';
import type { Step } from '../chain/step.ts';
import { useHeld } from '../chain/use-held.ts';
import { useWatcher } from '../chain/use-serving.ts';
import { useSteps } from '../chain/use-steps.ts';
import { Choice } from '../parts/choice.tsx';
import { Field } from '../parts/field.tsx';
import { FormCard } from '../parts/form-card.tsx';
import { Notice } from '../parts/notice.tsx';
import { TransactionShown } from '../parts/transaction-shown.tsx';
import { WhatCanHappen } from '../parts/what-can-happen.tsx';
import { useSettings } from '../settings.tsx';
import { useIsApproving } from '../transactions/use-transactions.tsx';
import { moneyOf } from '../words/amounts.ts';
import { words } from '../words/en/frame.ts';
import { guardWords } from '../words/en/guard.ts';
import { partWords } from '../words/en/parts.ts';
import { saleFormWords } from '../words/en/sale.ts';
import { formState } from '../words/form-state.ts';
import { networkFee } from '../words/trade.ts';
import { GuardSet } from './guard-set.tsx';
import { registeredIn } from './guard-steps.ts';
import { mustWait } from './shared-approval.ts';
import { type Tried, useTried } from './use-tried.ts';

/** Props of the forms of both kinds of guards. */
export interface SetProps {
  readonly borrower: Address;
  readonly loan: Loan;
  /** Markets with debt. */
  readonly markets: readonly LoanMarket[];
  /** The guards that share the account's approvals. */
  readonly owned: OwnedGuards;
  /** The same guards, each with what it could do now. */
  readonly covered?: readonly Covered[] | undefined;
  /** Whether the newest reading of `owned` or `loan` failed or is old. */
  readonly isStale: boolean;
  readonly close: () => void;
  /** The borrower's guard that the new one replaces. Terms never change, so an edit is another guard. */
  readonly replaces?: Guard;
  /** Whether the replacement is meant to get a later end. */
  readonly isExtending?: boolean;
  /** The account that pays and signs, if it is not the borrower. */
  readonly funder?: Address;
  /** Whether the guard closes the loan at once. */
  readonly isClosing?: boolean;
  /** The choice of what pays; absent where there is none. */
  readonly funding?: ReactNode;
  /** What else the owner can do if the contracts refuse. */
  readonly instead?: ReactNode;
}

interface Props extends Omit<SetProps, 'markets' | 'isExtending' | 'funding'> {
  /** Distinguishes its transactions from those of other forms. */
  readonly place: string;
  readonly title: string;
  readonly lead?: string;
  /** The market whose debt is repaid. */
  readonly market: LoanMarket;
  /** The guard's trigger; undefined while the fields do not give it. */
  readonly triggerHealthWad: bigint | undefined;
  /** Whether a deposit pays. */
  readonly isSale?: boolean;
  /** Receives the approval; undefined if there is none. */
  readonly spender: Address | undefined;
  /** What would be signed; undefined if the fields or the readings are not enough. */
  readonly steps: (() => readonly Step[]) | undefined;
  /** Everything that the steps depend on, except the time. */
  readonly signed: readonly unknown[];
  readonly errors: Readonly<Record<string, string | undefined>>;
  /** Base units that the wallet must hold. */
  readonly needed?: bigint | undefined;
  /** What the button says while something is still read. */
  readonly waits: string | undefined;
  readonly sentences: readonly string[] | undefined;
  readonly bar?: ReactNode;
  /** What the button says for a new guard, and the page once it is done. Absent: the words of the usual form. */
  readonly says?: readonly [action: string, done: string];
  /** What follows the signatures if they do not set the guard, as of when they are requested. */
  readonly next?: ReactNode;
  /** The rescue that must succeed right after the steps, simulated with them; absent if none must. */
  readonly rescue?: Parameters<typeof useTried>[3];
  /** The fields. */
  readonly children: ReactNode;
}

/** A form that sets a guard or replaces one, whatever pays for it. */
export function SetForm(props: Props) {
  const { borrower, loan, owned, covered = [], isStale, close, replaces, market, spender, steps, signed } = props;
  const { funder: payer = borrower, isClosing = false, isSale = false } = props;
  const { contracts, chainId } = useSettings();
  const connection = useConnection();
  const heading = replaces ? `edit-guard-${guardKey(replaces)}` : `${props.place}-${loan.protocol.name}`;
  const title = replaces ? guardWords.editTitle(guardKey(replaces)) : props.title;
  const { progress, isBusy, isEarlier, run, reset } = useSteps(heading, props.funder !== undefined);
  // The terms of what was signed before this form opened are not known here, so it is filled in again.
  const [next, setNext] = useState<ReactNode>();
  const isUnsure = spender !== undefined && mustWait(owned, isStale);
  // The other approval would replace this one, or the reverse.
  const isApproving = useIsApproving(spender ?? contracts.loanGuard);
  const isOtherApproving = spender !== undefined && isApproving && !isBusy;
  const { data: wallet } = useHeld(payer, market.token);
  const key = steps && JSON.stringify(signed);
  const tried = useTried(key, payer, steps, props.rescue);
  const found = key !== undefined && !tried.isError ? tried.data : undefined;
  const { says = [guardWords.approveAndSet, guardWords.onChain] } = props;
  const [action, done] = replaces ? [guardWords.approveAndReplace, guardWords.replaced(guardKey(replaces))] : says;
  // A refusal to close the loan must be known before anything is signed.
  const isTrying = props.rescue !== undefined && key !== undefined && tried.isPending;
  const waits = props.waits ?? (isUnsure || isTrying ? action : undefined);
  const state = formState({
    ...{ action, isSigning: isBusy, isOtherNetwork: connection.chainId !== chainId, pay: market },
    missing: Object.values(props.errors).find((error) => error !== undefined),
    waitsFor: waits ?? (isOtherApproving ? words.signing.waitingForOther : undefined),
    ...{ needed: props.needed, held: wallet?.held, fee: found?.cost?.wei, native: wallet?.native },
    isRefused: found?.refused !== undefined,
  });
  const isDone = progress.state === 'done';
  if (props.funder && isDone ? next !== undefined : isEarlier || isDone) {
    return (
      <TransactionShown
        {...{ progress, done, close }}
        title={isDone && !props.funder ? guardWords.setTitle : title}
        again={reset}
      >
        {isDone && next}
        {isDone && !props.funder && (
          <GuardSet
            id={registeredIn(progress.receipts, contracts)}
            covered={covered}
            protocol={loan.protocol.name}
            token={market}
          />
        )}
      </TransactionShown>
    );
  }
  return (
    <FormCard
      {...{ title, lead: props.lead, close, isBusy, progress, spender, state }}
      waits={isUnsure ? guardWords.mustWait : isOtherApproving ? guardWords.mustWaitForOther : undefined}
      submit={() => {
        setNext(props.next);
        if (steps) void run(steps());
      }}
      beside={
        <>
          {props.bar}
          <WhatCanHappen sentences={props.sentences} />
          {found && <Found {...found}>{props.instead}</Found>}
          {found?.repaid !== undefined && <WouldRepay {...found} market={market} />}
          <Unwatched {...{ borrower, market, isClosing, isSale, triggerHealthWad: props.triggerHealthWad }} />
          {steps && tried.isError && <p className="faint">{partWords.notTried}</p>}
        </>
      }
    >
      {props.children}
    </FormCard>
  );
}

/** What the contracts and the network would say now. */
export const Found = ({ refused, cost, children }: Tried & { readonly children?: ReactNode }) => (
  <>
    {refused && (
      <Notice kind="bad" title={words.signing.ended.refused} more={refused.words}>
        {children}
      </Notice>
    )}
    {cost && <p className="faint">{guardWords.networkFee(networkFee(cost.wei, undefined))}</p>}
  </>
);

interface UnwatchedProps extends Pick<Props, 'borrower' | 'market' | 'isClosing' | 'triggerHealthWad'> {
  readonly isSale: boolean;
}

/**
 * Why the agent never rescues by such a guard: for example, it repays nothing in VAI. An agent that has not been heard
 * of is reported only where it is needed at once.
 */
function Unwatched({ borrower, market, isSale, isClosing, triggerHealthWad = 0n }: UnwatchedProps) {
  const watcher = useWatcher(useMoment());
  const guard = { borrower, repayToken: market.token, triggerHealthWad, ...(isSale && { sale: {} as Sale }) };
  const why = whyUnwatched(guard, watcher, undefined);
  if (why === undefined || (isNotKnown(why) && !isClosing)) return null;
  return <Notice kind="caution" title={unwatchedMore(why)} />;
}

interface RepaidProps extends Pick<Tried, 'repaid' | 'owed'> {
  readonly market: LoanMarket;
}

/** What the simulated rescue would repay of the debt at that time: interest since then does not make it partial. */
export function WouldRepay({ repaid = 0n, owed = 0n, market }: RepaidProps) {
  const { amount, cost } = moneyOf(market);
  if (repaid >= owed) return <p className="faint">{saleFormWords.wouldClose(amount(repaid))}</p>;
  return <Notice kind="caution" title={saleFormWords.wouldCloseInPart(amount(repaid), cost(owed))} />;
}

interface MarketProps {
  readonly label: string;
  readonly market: LoanMarket;
  readonly markets: readonly LoanMarket[];
  readonly choose: (market: LoanMarket['market']) => void;
  readonly hint?: string;
}

/** One of several markets; nothing where there is no choice. */
export const MarketChoice = ({ market: { market }, markets, choose, ...props }: MarketProps) =>
  markets.length > 1 && (
    <Choice
      {...props}
      options={markets.map((each) => ({ value: each.market, name: each.symbol }))}
      value={market}
      onChange={choose}
    />
  );

/** The inputs of a form, by the names of its fields. */
export const inputsOf = <Form extends { readonly [name in keyof Form]: string }>(
  form: Form,
  set: (changes: Partial<Form>) => void,
  errors: { readonly [name in keyof Form]?: string | undefined },
) => ({
  field: (name: keyof Form & string, label: string, unit: string, hint?: string | undefined) => (
    <Field
      {...{ label, unit, hint }}
      value={form[name]}
      onChange={(value) => set({ [name]: value } as Partial<Form>)}
      error={errors[name]}
    />
  ),
  choice: <Name extends keyof Form & string>(
    name: Name,
    label: string,
    options: readonly { readonly value: Form[Name]; readonly name: string }[],
    hint?: string | undefined,
  ) => (
    <Choice
      {...{ label, options, hint }}
      value={form[name]}
      onChange={(value) => set({ [name]: value } as unknown as Partial<Form>)}
    />
  ),
});
