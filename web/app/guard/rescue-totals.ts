import { guardKey } from '@bowline/core/domain/guard-key';
import { toCsv, toIsoTime } from '@bowline/core/domain/readable';
import { formatUnits, mulDivDown, WAD } from '@bowline/core/domain/units';
import type { Guard } from '../chain/read-guards.ts';
import type { TimedRescue } from './use-loan.ts';

/** A guard's rescues, with what is needed to show them. */
export interface Told {
  readonly guard: Guard;
  readonly protocol: string;
  /** Symbol and decimals of the repay token; decimals undefined if unknown. */
  readonly symbol: string;
  readonly decimals: number | undefined;
  readonly rescues: readonly TimedRescue[];
  /** A liquidation's penalty; undefined if not known. */
  readonly penaltyWad: bigint | undefined;
}

export interface Total extends Pick<Told, 'symbol' | 'decimals'> {
  readonly rescues: number;
  /** Base units. */
  readonly repaid: bigint;
  /** What liquidations that repaid as much would have taken on top; undefined if one penalty is not known. */
  readonly saved: bigint | undefined;
}

/** Totals of all rescues, by repay token. */
export const totalsOf = (all: readonly Told[]): readonly Total[] =>
  [...Map.groupBy(all, ({ guard }) => guard.repayToken.toLowerCase()).values()].map((alike) => {
    const { symbol, decimals } = alike[0] as Told;
    const sumOf = ({ rescues }: Told) => rescues.reduce((sum, { repaid }) => sum + repaid, 0n);
    const saved = alike.reduce<bigint | undefined>(
      (sum, each) =>
        sum === undefined || each.penaltyWad === undefined
          ? undefined
          : sum + mulDivDown(sumOf(each), each.penaltyWad, WAD),
      0n,
    );
    return {
      ...{ symbol, decimals, saved, repaid: alike.reduce((sum, each) => sum + sumOf(each), 0n) },
      rescues: alike.reduce((sum, { rescues }) => sum + rescues.length, 0),
    };
  });

export const CSV_NAME = 'bowline-rescues.csv';

const columns = [
  ...['guard', 'protocol', 'time_utc', 'repaid', 'token', 'paid_from', 'sold_base_units', 'collateral_token'],
  ...['health_before', 'health_after', 'target_reached', 'liquidation_penalty_avoided'],
];

/** All rescues as CSV, oldest first: times in UTC, amounts in whole tokens with every digit. */
export function csvOfRescues(all: readonly Told[]): string {
  const rows = all
    .flatMap((told) => told.rescues.map((rescue) => ({ told, rescue })))
    .toSorted((a, b) => Number(a.rescue.time - b.rescue.time))
    .map(({ told: { guard, protocol, symbol, decimals = 0, penaltyWad }, rescue }) => [
      ...[String(guardKey(guard)), protocol, toIsoTime(rescue.time), formatUnits(rescue.repaid, decimals), symbol],
      ...[guard.sale?.funding ?? 'wallet', String(rescue.sold ?? ''), guard.sale?.collateralToken ?? ''],
      ...[formatUnits(rescue.healthBeforeWad, 18)],
      ...[rescue.healthAfterWad === undefined ? '' : formatUnits(rescue.healthAfterWad, 18)],
      ...[rescue.outcome === 'full' ? 'yes' : 'no'],
      penaltyWad === undefined ? '' : formatUnits(mulDivDown(rescue.repaid, penaltyWad, WAD), decimals),
    ]);
  return toCsv([columns, ...rows]);
}
