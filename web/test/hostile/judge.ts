import { type Address, decodeFunctionData, type Hex, isAddressEqual, parseAbi } from 'viem';
import type { BuyAnswer, PageConfig } from '../../wire.ts';
import { judgeLoanTransaction } from './loan-transactions.ts';
import type { Told } from './node.ts';
import { isSomethingApproved, mayBeFunded, mayBeGuarded, owesSomething, usualOf } from './oracle.ts';
import type { Honest, LoanAct, Place, Side } from './place.ts';
import { mayServeGuards } from './serving.ts';
import { type Call, DEPOSIT, isBought } from './wallet.ts';

// What must hold for the page after each round, whoever was hostile in it.

/** What the page shows (in-page.js). */
export interface Seen {
  readonly badges: readonly string[];
  /** The sentence at the top of Home; empty in other sections. */
  readonly home: string;
  /** Whether the dot next to the chain's name is green. */
  readonly isGreen: boolean;
  readonly hasStop: boolean;
  readonly hasSections: boolean;
  readonly saysBought: boolean;
  readonly saysUnsound: boolean;
  readonly saysApproved: boolean;
  readonly saysNothingApproved: boolean;
  readonly hasFailed: boolean;
  readonly text: string | undefined;
}

export interface Round {
  readonly place: Place;
  readonly honest: Honest;
  readonly owner: Address;
  readonly neighbour: Address;
  readonly seen: Seen;
  /** The wallet's requests in the round. */
  readonly sent: readonly Call[];
  /** What the node told in the round; `usual`: in the section's honest round. */
  readonly told: readonly Told[];
  readonly usual: ReadonlyMap<string, Hex> | undefined;
  /** Time by the page's clock, unix seconds. */
  readonly now: bigint;
  /** The latest time that the page's clock can show: time passes while a page is slow. */
  readonly latest: bigint;
  /** Whether the node is stuck, shut or behind in the round. */
  readonly isFrozen: boolean;
  /** What is to be traded in the round, if anything. */
  readonly side: Side | undefined;
  /** What the account does about a loan in the round, if anything. */
  readonly act: LoanAct | undefined;
  readonly complain: (what: string) => void;
}

/** How often the page made each claim that honest answers support. */
export interface Said {
  offered: number;
  bought: number;
  fair: number;
  guarded: number;
  approved: number;
  funded: number;
  calm: number;
}

export const nothingSaid = (): Said => ({
  ...{ offered: 0, bought: 0, fair: 0, guarded: 0, approved: 0, funded: 0, calm: 0 },
});

const abi = parseAbi([
  'function approve(address spender, uint256 amount) returns (bool)',
  'struct SwapPath { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }',
  'function exactInput(SwapPath swap) payable returns (uint256)',
]);

const fairIn = ({ badges }: Seen): number => badges.filter((badge) => badge.startsWith('Fair price')).length;
const isFundedIn = ({ home }: Seen): boolean => /funded (until|at any|while)/.test(home);
const isCalmIn = ({ home }: Seen): boolean => home.includes('no action needed');
const hasGuarded = ({ badges }: Seen): boolean => badges.includes('guarded');

export const saidIn = (seen: Seen, sent: readonly Call[]): Said => ({
  offered: Number(sent.some(({ data }) => data !== DEPOSIT && !data.startsWith('0x095ea7b3'))),
  bought: Number(seen.saysBought),
  fair: Number(fairIn(seen) > 0),
  guarded: Number(hasGuarded(seen)),
  approved: Number(seen.saysApproved),
  funded: Number(isFundedIn(seen)),
  calm: Number(isCalmIn(seen)),
});

/** Complains about everything that the page must not have shown or requested. */
export function judge(round: Round): void {
  judgeFrame(round);
  if (round.isFrozen) judgeFrozen(round);
  if (round.act) judgeLoanTransaction(round, round.act);
  if (round.side) judgeTrade(round, round.side);
  else judgeAccount(round);
}

export function judgeFrame({ seen, complain }: Pick<Round, 'seen' | 'complain'>): void {
  if (!seen.hasStop) complain('the stop button is missing');
  if (seen.hasFailed) complain(`a part of the page broke: ${seen.text}`);
}

/** The page must claim nothing about a chain whose current state it does not see. */
function judgeFrozen({ seen, complain }: Round): void {
  if (seen.isGreen) complain('its dot is green');
  if (hasGuarded(seen)) complain('it says guarded by an old chain');
  if (seen.badges.includes('active')) complain('it says that a plan is active by an old chain');
  if (isCalmIn(seen) || isFundedIn(seen)) complain(`by an old chain it says: ${seen.home}`);
}

function judgeTrade({ place, honest, owner, seen, sent, complain }: Round, side: Side): void {
  for (const call of sent) {
    const wrong = wrongWith(call, honest.drafts[side], honest.config, owner, side === 'bnb');
    if (wrong !== undefined) complain(`the wallet was asked for ${wrong}: ${JSON.stringify(call)}`);
  }
  if (place.wallet.isRepeated()) complain('the wallet was asked again for what it had taken');
  const { draft } = place.given();
  if (fairIn(seen) > 0 && (draft as Partial<BuyAnswer>).verdict !== 'GO') complain('it calls fair what is not');
  if (seen.saysBought && !isBought(place.wallet.made(), sent, owner)) complain('it says that something was bought');
}

/** The part of a call that was not ordered; undefined if all of it was. */
function wrongWith(
  { to, data, value }: Call,
  honest: BuyAnswer,
  { contracts }: PageConfig,
  owner: Address,
  isBnb: boolean,
): string | undefined {
  const [paid, least] = [BigInt(honest.amount_in ?? 0), BigInt(honest.min_amount_out ?? 0)];
  const isTyped = (amount: bigint) => amount * 1_000n >= paid * 996n && amount * 1_000n <= paid * 1_004n;
  const isEnough = (amount: bigint) => amount * 100n >= least * 97n;
  const [tokenIn, tokenOut] = [honest.token_in as Address, honest.token_out as Address];
  const wei = BigInt(value ?? 0);
  if (isBnb && isAddressEqual(to, tokenIn) && data === DEPOSIT) return isTyped(wei) ? undefined : 'other BNB';
  if (wei !== 0n) return 'BNB';
  try {
    if (isAddressEqual(to, tokenIn)) {
      const { functionName, args } = decodeFunctionData({ abi, data });
      if (functionName !== 'approve') return 'another function of the token';
      const [spender, amount] = args;
      return isAddressEqual(contracts.router, spender) && (amount === 0n || isTyped(amount))
        ? undefined
        : 'another approval';
    }
    if (isAddressEqual(to, contracts.router)) {
      const { functionName, args } = decodeFunctionData({ abi, data });
      if (functionName !== 'exactInput') return 'another function of the router';
      const { path, recipient, amountIn, amountOutMinimum } = args[0];
      const isPair = path.startsWith(tokenIn.toLowerCase()) && path.endsWith(tokenOut.slice(2).toLowerCase());
      const isOwn = isAddressEqual(recipient, owner);
      return isPair && isOwn && isTyped(amountIn) && isEnough(amountOutMinimum) ? undefined : 'another swap';
    }
  } catch {
    return 'what cannot be read';
  }
  return 'a call of an unknown contract';
}

/** Portfolio, guards, plans and Home: nothing is signed there, and everything shown must be what was told. */
function judgeAccount({ place, honest, seen, sent, now, complain, told, usual, act }: Round): void {
  if (sent.length > 0 && act === undefined) complain('the wallet was asked for something');
  if (seen.saysBought) complain('it says that something was bought');
  const quote = place.given().quote as {
    readonly assets?: unknown;
    readonly rescues?: { readonly ok?: unknown } | null;
    readonly serves?: unknown;
  } | null;
  const assets = Array.isArray(quote?.assets) ? quote.assets : [];
  const fair = assets.filter((asset) => isFair(asset, now));
  if (fairIn(seen) > fair.length) complain(`it calls ${fairIn(seen)} prices fair, and was told so of ${fair.length}`);
  const { loanGuard } = honest.config.contracts;
  const isServed = quote?.rescues?.ok === true && mayServeGuards(quote.serves, honest.config, now);
  const isAble = mayBeGuarded(told, loanGuard, now) && isServed;
  if (hasGuarded(seen) && !isAble) complain('it says guarded');
  // An account that was told to owe nothing needs no guard.
  const isFree = /no loan/i.test(seen.home) && !owesSomething(told);
  if (isCalmIn(seen) && !isAble && !isFree) complain(`it says: ${seen.home}`);
  if (isFundedIn(seen) && !mayBeFunded(told, loanGuard, now, seen.home, usual ?? usualOf(told)))
    complain(`it says: ${seen.home}`);
  if (seen.saysNothingApproved && isSomethingApproved(told)) complain('it says that nothing is approved');
}

/** Whether an asset was said to be fairly priced, within the validity of a ticket. */
function isFair(asset: unknown, now: bigint): boolean {
  const { judged } = (asset ?? {}) as {
    readonly judged?: { readonly verdict?: unknown; readonly issued_at?: unknown };
  };
  return judged?.verdict === 'GO' && Number(judged.issued_at) + 120 > Number(now);
}
