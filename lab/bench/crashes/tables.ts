import { figure, type Table } from '../record.ts';
import { DEBT_USD, LIQUIDATION, type Outcome } from './loan.ts';

/** What differs from the usual: a cooldown of a minute, feeds a minute late, each hour's fall in one step. */
export type World = 'usual' | 'quick' | 'crowded' | 'stepped';

/** The page's. */
export const PAGE_COST_BPS = 200;

/** One loan in one crash, with one guard. */
export interface Measured extends Outcome {
  readonly trigger: number;
  readonly target: number;
  readonly health: number;
  readonly world: World;
  readonly maxCostBps: number;
  /** The protocol's price at the end. */
  readonly last: number;
  /** Whether it is liquidated without a guard. */
  readonly isEndangered: boolean;
}

/** How many of the loans that would be liquidated each guard saves. */
export function saved(all: readonly Measured[]): Table {
  const columns = [
    ...unique(all.map(({ maxCostBps }) => maxCostBps)).map((bps) => ({ title: `${bps} bps`, bps, world: 'usual' })),
    { title: `${PAGE_COST_BPS}, cooldown of a minute`, bps: PAGE_COST_BPS, world: 'quick' },
    { title: '50, feeds a minute late', bps: 50, world: 'crowded' },
    { title: `${PAGE_COST_BPS}, feeds a minute late`, bps: PAGE_COST_BPS, world: 'crowded' },
    { title: `${PAGE_COST_BPS}, each hour in one step`, bps: PAGE_COST_BPS, world: 'stepped' },
  ];
  const rows = unique(all.map(nameOf)).map((name) => {
    const own = all.filter((each) => nameOf(each) === name);
    const of = (world: string, bps: number) =>
      own.filter((each) => each.world === world && each.maxCostBps === bps && each.isEndangered);
    const share = ({ world, bps }: { readonly world: string; readonly bps: number }) => {
      const lost = of(world, bps);
      return percent(lost.filter(({ isLiquidated }) => !isLiquidated).length, lost.length);
    };
    const usual = own.filter((each) => each.world === 'usual' && each.maxCostBps === PAGE_COST_BPS);
    const endangered = `${of('usual', PAGE_COST_BPS).length} of ${usual.length}`;
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

/** What rescues cost, where prices are drawn and feeds are as late as usual. */
export function costs(all: readonly Measured[]): Table {
  const usual = all.filter(({ world, rescues }) => world === 'usual' && rescues.length > 0);
  const rows = unique(usual.map(({ maxCostBps }) => maxCostBps)).map((bps) => {
    const own = usual.filter(({ maxCostBps }) => maxCostBps === bps);
    const each = own.flatMap(({ rescues }) => rescues.map(({ worth, repaid }) => (worth / repaid - 1) * 10_000));
    const paid = own.map(({ rescues }) => rescues.reduce((sum, { worth, repaid }) => sum + worth - repaid, 0));
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

const nameOf = ({ trigger, target, health }: Measured): string =>
  `${figure(trigger, 2)} → ${figure(target, 2)}, ${figure(health, 2)}`;

const unique = <Of>(all: readonly Of[]): Of[] => [...new Set(all)];
const percent = (part: number, all: number): string => (all === 0 ? '–' : `${figure((100 * part) / all, 1)} %`);
const ofDebt = (usd: number): string => `${figure((100 * usd) / DEBT_USD, 2)} %`;

function quantiles(values: readonly number[], write: (value: number) => string): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
  return [0.5, 0.9, 1].map((share) => write(at(share))).join(', ');
}
