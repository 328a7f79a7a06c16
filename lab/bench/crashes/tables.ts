import { SALE_COOLDOWN_SECONDS, SALE_COST_BPS } from '@bowline/core/domain/sale-terms';
import { figure, type Table } from '../record.ts';
import { DEBT_USD, LIQUIDATION, type Outcome } from './loan.ts';

/** The usual world, and two that differ: feeds a minute late, or each hour's fall in one step. */
export type World = 'usual' | 'crowded' | 'stepped';

/** One loan in one crash, with one guard. */
export interface Measured extends Outcome {
  readonly trigger: number;
  readonly target: number;
  readonly health: number;
  readonly world: World;
  readonly maxCostBps: number;
  readonly cooldownSeconds: number;
  /** The protocol's price at the end. */
  readonly last: number;
  /** Whether it is liquidated without a guard. */
  readonly isEndangered: boolean;
}

/** How many of the loans that would be liquidated each guard saves, with the page's cooldown. */
export function saved(measured: readonly Measured[]): Table {
  const all = ofPage(measured);
  const columns = [
    ...unique(all.map(({ maxCostBps }) => maxCostBps)).map((bps) => ({ title: `${bps} bps`, bps, world: 'usual' })),
    { title: '50, feeds a minute late', bps: 50, world: 'crowded' },
    { title: `${SALE_COST_BPS}, feeds a minute late`, bps: SALE_COST_BPS, world: 'crowded' },
    { title: `${SALE_COST_BPS}, each hour in one step`, bps: SALE_COST_BPS, world: 'stepped' },
  ];
  const rows = unique(all.map(nameOf)).map((name) => {
    const own = all.filter((each) => nameOf(each) === name);
    const of = (world: string, bps: number) =>
      own.filter((each) => each.world === world && each.maxCostBps === bps && each.isEndangered);
    const share = ({ world, bps }: { readonly world: string; readonly bps: number }) => {
      const lost = of(world, bps);
      return percent(lost.filter(({ isLiquidated }) => !isLiquidated).length, lost.length);
    };
    const usual = own.filter((each) => each.world === 'usual' && each.maxCostBps === SALE_COST_BPS);
    const endangered = `${of('usual', SALE_COST_BPS).length} of ${usual.length}`;
    // LoanGuard refuses: there is nothing to repay with.
    return [name, endangered, '0.0 %', ...columns.map(share)];
  });
  return [
    [
      'trigger → target, health at first',
      'liquidated without a guard',
      'saved by a wallet of 0',
      ...columns.map(({ title }) => `by collateral at ${title}`),
    ],
    ...rows,
  ];
}

/** Costs of rescues at the page's cooldown, with drawn prices and feeds as late as usual. */
export function costs(all: readonly Measured[]): Table {
  const usual = ofPage(all).filter(({ world, rescues }) => world === 'usual' && rescues.length > 0);
  const rows = unique(usual.map(({ maxCostBps }) => maxCostBps)).map((bps) => {
    const own = usual.filter(({ maxCostBps }) => maxCostBps === bps);
    const each = own.flatMap(({ rescues }) => rescues.map(({ worth, repaid }) => (worth / repaid - 1) * 10_000));
    const paid = own.map(paidBy);
    const missed = own.map(({ rescues, last }) =>
      rescues.reduce((sum, { sold, worth }) => sum + sold * last - worth, 0),
    );
    const needless = own.filter(({ isEndangered }) => !isEndangered);
    return [
      `${bps} bps`,
      quantiles(each, (value) => figure(value, 1)),
      quantiles(paid, ofDebt),
      percent(LIQUIDATION, 1),
      percent(needless.length, own.length),
      quantiles(missed, ofDebt),
    ];
  });
  return [
    [
      'highest cost of a rescue',
      'bps of what it repays: median, 9 of 10, worst',
      'of the debt, all rescues: median, 9 of 10, worst',
      'a liquidation of half the debt takes of it',
      'rescued, though nothing would have liquidated it',
      'the sold coins gained by the end, of the debt: median, 9 of 10, worst',
    ],
    ...rows,
  ];
}

/** What each cooldown saves and costs, at the page's highest cost. */
export function cooldowns(measured: readonly Measured[]): Table {
  const all = measured.filter(({ maxCostBps }) => maxCostBps === SALE_COST_BPS);
  const worlds = unique(all.map(({ world }) => world));
  const pairs = unique(all.map(pairOf));
  const rows = unique(all.map(({ cooldownSeconds }) => cooldownSeconds)).toSorted((a, b) => a - b);
  return [
    [
      'cooldown, seconds',
      ...worlds.flatMap((world) => pairs.map((pair) => `${pair}: saved, ${titles[world]}`)),
      'rescues of a rescued loan: median, 9 of 10, worst',
      'they cost of the debt: median, 9 of 10, worst',
      'repaid of the debt: median, 9 of 10, worst',
      'rescued, though nothing would have liquidated it',
    ],
    ...rows.map((cooldown) => {
      const own = all.filter(({ cooldownSeconds }) => cooldownSeconds === cooldown);
      const shares = worlds.flatMap((world) =>
        pairs.map((pair) => {
          const lost = own.filter((each) => each.world === world && pairOf(each) === pair && each.isEndangered);
          return percent(lost.filter(({ isLiquidated }) => !isLiquidated).length, lost.length);
        }),
      );
      const rescued = own.filter(({ world, rescues }) => world === 'usual' && rescues.length > 0);
      return [
        figure(cooldown),
        ...shares,
        quantiles(
          rescued.map(({ rescues }) => rescues.length),
          (value) => figure(value),
        ),
        quantiles(rescued.map(paidBy), ofDebt),
        quantiles(
          rescued.map(({ rescues }) => rescues.reduce((sum, { repaid }) => sum + repaid, 0)),
          ofDebt,
        ),
        percent(rescued.filter(({ isEndangered }) => !isEndangered).length, rescued.length),
      ];
    }),
  ];
}

const titles: Readonly<Record<World, string>> = {
  usual: 'as usual',
  crowded: 'feeds a minute late',
  stepped: 'each hour in one step',
};

const ofPage = (all: readonly Measured[]): readonly Measured[] =>
  all.filter(({ cooldownSeconds }) => cooldownSeconds === SALE_COOLDOWN_SECONDS);

/** Paid beyond what was repaid. */
const paidBy = ({ rescues }: Measured): number => rescues.reduce((sum, { worth, repaid }) => sum + worth - repaid, 0);

const pairOf = ({ trigger, target }: Measured): string => `${figure(trigger, 2)} → ${figure(target, 2)}`;
const nameOf = (each: Measured): string => `${pairOf(each)}, ${figure(each.health, 2)}`;

const unique = <Of>(all: readonly Of[]): Of[] => [...new Set(all)];
const percent = (part: number, all: number): string => (all === 0 ? '–' : `${figure((100 * part) / all, 1)} %`);
const ofDebt = (usd: number): string => `${figure((100 * usd) / DEBT_USD, 2)} %`;

function quantiles(values: readonly number[], write: (value: number) => string): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return [0.5, 0.9, 1].map((share) => write(at(share))).join(', ');
}
