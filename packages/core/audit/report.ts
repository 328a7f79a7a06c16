import { guardKey } from '../domain/guard-key.ts';
import { NO_DEBT_HEALTH_WAD, UNWIND_HEALTH_WAD } from '../domain/permissions.ts';
import { isNever, isoSeconds } from '../domain/readable.ts';
import { reasonOf } from '../domain/reasons.ts';
import { type Sided, tradedOf } from '../domain/sided.ts';
import { blocksIn } from '../domain/slots.ts';
import { formatBps, formatUnits, withSymbol } from '../domain/units.ts';
import { averageText, perAsset } from '../texts/amounts.ts';
import { counted } from '../texts/counts.ts';
import { textOf } from '../texts/words.ts';
import { hasEnded, hasExpired, sumsOf } from './figures.ts';
import type { GuardHistory, PlanHistory, Rescue, Terms, Token } from './history.ts';
import { guardIrregularities, planIrregularities } from './irregularities.ts';
import { LATE_SECONDS, type ReasonCount, type ServiceFigures, type Spread } from './service.ts';

// The text of `npx bowline show`. The page shows the same figures (docs/why/page.md).

const planStatuses = ['none', 'active', 'paused', 'cancelled'] as const;
const guardStatuses = ['none', 'active', 'cancelled'] as const;
const verdicts = ['NO_DATA', 'NO_GO', 'CAUTION', 'GO'] as const;

const when = (seconds: number) => (isNever(seconds) ? 'never' : isoSeconds(BigInt(seconds)));

function irregular(found: readonly string[]): string[] {
  if (found.length === 0) return ['  No irregularities: every record matches its terms.'];
  return [`  IRREGULARITIES: ${found.length}`, ...found.map((sentence) => `    ${sentence}`)];
}

/** A plan's whole history as text, irregularities first. @param now unix seconds by the chain's clock. */
export function planReport(plan: PlanHistory, sided: Sided, now: bigint): string {
  const { id, state, isRevoked, versions, runs } = plan;
  const { executed, deferred, paid, received } = sumsOf(plan);
  const { pay, buy } = tradedOf(sided);
  const price = (amountIn: bigint, amountOut: bigint) => perAsset(averageText(amountIn, amountOut, sided), sided);
  return [
    `Plan ${id}: ${isRevoked ? 'revoked' : hasEnded(plan, now) ? 'ended' : planStatuses[state.status]}, owner ${versions[0]?.owner}`,
    ...irregular(planIrregularities(plan)),
    '',
    ...versions.flatMap((terms, at) => termsLines(at + 1, terms, pay, buy)),
    '',
    `  ${counted(executed, 'run')}, ${counted(deferred, 'deferral')}; paid ${withSymbol(paid, pay)}, received ${withSymbol(received, buy)}, on average ${price(paid, received)}`,
    ...runs.map((run, at) =>
      run.outcome === 1
        ? `  ${String(at).padStart(4)}  ${when(run.time)}  v${run.version}  run       paid ${withSymbol(run.amountIn, pay)}, received ${withSymbol(run.amountOut, buy)} (floor ${formatUnits(run.floor, buy.decimals)}), ${price(run.amountIn, run.amountOut)}, evidence ${run.evidencePrefix}…`
        : `  ${String(at).padStart(4)}  ${when(run.time)}  v${run.version}  deferral  ${verdicts[run.verdict]} ${run.isAttested ? 'signed' : 'claimed'}, ${reasonOf(run.reason) ?? `reason ${run.reason}`}, evidence ${run.evidencePrefix}…`,
    ),
  ].join('\n');
}

const nobody = /^0x0+$/;

const termsLines = (version: number, terms: Terms, pay: Token, buy: Token): string[] => [
  `  version ${version}: ${withSymbol(terms.amountPerRun, pay)} into ${buy.symbol} every ${terms.periodSeconds} s, in a window of ${terms.windowSeconds} s, at most ${terms.maxRuns} runs, from ${when(terms.startAt)} to ${when(terms.expiresAt)}`,
  `    recipient ${terms.recipient}, executor ${terms.executor}`,
  `    floor: ${[
    ...(nobody.test(terms.priceSource) ? [] : [`source ${terms.priceSource} less ${terms.maxSlippageBps} bps`]),
    ...(terms.limitPriceWad === 0n ? [] : [`limit ${terms.limitPriceWad} base units per 1e18`]),
    ...(terms.farLimit ? ['any price: the owner accepts a limit far from the market'] : []),
    ...(terms.triggerPriceWad === 0n ? [] : [`only from ${terms.triggerPriceWad} base units per 1e18 by the source`]),
    ...(nobody.test(terms.verdictSigner) ? [] : [`tickets signed by ${terms.verdictSigner}`]),
  ].join('; ')}`,
];

/** Warns of forced liquidation: a guard acts only below its trigger, but such a debt can be liquidated above it. */
function forcedLines({ forcedMarkets }: GuardHistory): string[] {
  if (forcedMarkets === undefined) return ['  Whether the loan can be liquidated at any health could not be read.'];
  if (forcedMarkets.length === 0) return [];
  return [`  FORCED LIQUIDATION: ${textOf('forced_liquidation')} (market ${forcedMarkets.join(', ')})`];
}

/**
 * A guard's whole history as text, irregularities first.
 * @param now unix seconds by the chain's clock.
 * @param sold the collateral's token, for a guard that pays out of a deposit.
 * @param late for each rescue, the blocks from its loan's fall below the trigger to the rescue; undefined if not known.
 */
export function guardReport(
  guard: GuardHistory,
  token: Token,
  now: bigint,
  sold?: Token,
  late: readonly (bigint | undefined)[] = [],
): string {
  const { terms, state, isRevoked, rescues, sale } = guard;
  const health = (wad: bigint) =>
    wad === NO_DEBT_HEALTH_WAD ? 'no debt' : wad === UNWIND_HEALTH_WAD ? 'no debt left' : formatUnits(wad, 18);
  return [
    `Guard ${guardKey(guard)}: ${isRevoked ? 'revoked' : hasExpired(guard, now) ? 'expired' : guardStatuses[state.status]}, borrower ${terms.borrower}${terms.funder === terms.borrower ? '' : `, funded by ${terms.funder}`}`,
    ...irregular(guardIrregularities(guard)),
    ...forcedLines(guard),
    '',
    `  trigger health ${health(terms.triggerHealthWad)}, target ${health(terms.targetHealthWad)}, market ${terms.market}, keeper ${nobody.test(terms.keeper) ? 'anyone' : terms.keeper}, ${nobody.test(terms.priceSource) ? '' : `also watches ${terms.priceSource}, `}expires ${when(terms.expiresAt)}`,
    `  at least ${withSymbol(terms.minRepay, token)}, at most ${withSymbol(terms.capPerRescue, token)} per rescue and ${withSymbol(terms.capPerDay, token)} per UTC day, ${terms.cooldownSeconds} s apart${nobody.test(terms.priceSource) ? '' : "; a rescue by the protocol's prices may follow one by its price source at once"}`,
    ...saleLines(sale),
    '',
    `  ${counted(rescues.length, 'rescue')}, ${withSymbol(
      rescues.reduce((sum, { repaid }) => sum + repaid, 0n),
      token,
    )} repaid`,
    ...rescues.map(
      ({ repaid, time, outcome, healthBeforeWad, healthAfterWad, ...of }, at) =>
        `  ${String(at).padStart(4)}  ${when(time)}  ${outcome === 1 ? 'full   ' : 'partial'}  ${withSymbol(repaid, token)}, health ${health(healthBeforeWad)} → ${health(healthAfterWad)}${nobody.test(terms.priceSource) || healthBeforeWad < terms.triggerHealthWad ? '' : ', triggered by its price source'}${lateLine(late[at])}${receiptsLine(of, sold)}`,
    ),
  ].join('\n');
}

const saleLines = (sale: GuardHistory['sale']): string[] =>
  sale
    ? [
        `  pays out of ${sale.funding === 'collateral' ? "the loan's own collateral" : "its funder's deposit"} in market ${sale.collateralMarket}, at an all-in cost of at most ${formatBps(BigInt(sale.maxCostBps))}, over pools that ${sale.route ? 'its terms name' : 'its caller chooses'}`,
      ]
    : [];

const lateLine = (blocks: bigint | undefined): string =>
  blocks === undefined ? '' : `, ${counted(Number(blocks), 'block')} after its loan fell below the trigger`;

const receiptsLine = ({ sold: amount }: Pick<Rescue, 'sold'>, token: Token | undefined): string =>
  amount === undefined || token === undefined ? '' : `, for ${withSymbol(amount, token)}`;

const inBlocks = (seconds: bigint): string => `${seconds} s (${counted(Number(blocksIn(seconds)), 'block')})`;

const spreadLine = (what: string, spread: Spread | undefined, extreme: string, textOf = formatBps): string[] =>
  spread ? [`  ${what}: median ${textOf(spread.median)}, ${extreme} ${textOf(spread.worst)}`] : [];

/** An executor's report card as text, irregularities first. */
export function executorReport(executor: string, figures: ServiceFigures): string {
  const { plans, runs, inTime, late, lateAfterDeferral, delaySeconds, deferrals, attested, irregularities } = figures;
  const { byReason, skipped, silentSlots, unrecorded, aboveFloor, withOracle, belowOracle } = figures;
  const found = irregularities.map(({ plan, sentence }) => `plan ${plan}, ${sentence}`);
  const sumOf = (counts: readonly ReasonCount[]) => counts.reduce((sum, { count }) => sum + count, 0);
  const reasons = (counts: readonly ReasonCount[]) => counts.map(({ reason, count }) => `    ${count} × ${reason}`);
  return [
    `Executor ${executor}: ${counted(plans, 'plan')}`,
    ...irregular(found),
    '',
    `  ${counted(runs, 'run')}: ${inTime} within ${LATE_SECONDS} s of the slot's start, ${lateAfterDeferral} later after a deferral, ${late} later without one`,
    ...spreadLine("delay after the slot's start", delaySeconds, 'longest', inBlocks),
    ...spreadLine('delivered above the floor', aboveFloor, 'least'),
    ...spreadLine('below the price source, at most', belowOracle, 'most').map(
      (line) => `${line}, of ${counted(withOracle, 'run')}`,
    ),
    `  ${counted(deferrals, 'deferral')}, ${attested} signed`,
    ...reasons(byReason),
    `  ${counted(sumOf(skipped), 'slot')} skipped`,
    ...reasons(skipped),
    `  ${counted(silentSlots, 'slot')} without a record`,
    `  ${counted(sumOf(unrecorded), 'slot')} that needed no record`,
    ...reasons(unrecorded),
  ].join('\n');
}
