import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { checks } from '@bowline/core/verdict/checks/index';
import { judgeProposal, rulesVersion } from '@bowline/core/verdict/rules';
import { figure, record, type Table } from './record.ts';
import { dangers } from './verdict-quality/attacks/dangers.ts';
import { families } from './verdict-quality/attacks/families.ts';
import { pumpedBy, pumps } from './verdict-quality/attacks/pumps.ts';
import { drawBase, UNFAIR_BPS } from './verdict-quality/curve.ts';
import { events } from './verdict-quality/events.ts';
import { secondOf, symbols } from './verdict-quality/history.ts';
import { seedOf } from './verdict-quality/judge.ts';
import { drawTime, honestMoment } from './verdict-quality/moment.ts';
import { proposalOf } from './verdict-quality/proposal.ts';
import { random } from './verdict-quality/random.ts';
import { lossOf, type Scene } from './verdict-quality/scene.ts';
import { hunts, search } from './verdict-quality/search.ts';

// `npm run lab -- ablation`: what each check of a verdict alone stops, and which checks could go without letting more pass. A
// check that nothing needs is an explanation and no vote. Options: `--seed 7`, `--quick`, and `--record` for the docs.

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    quick: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);
const [honestOfEach, ofFamily, ofDanger, moments, steps] = values.quick
  ? [300, 6, 40, 2, 150]
  : [4_000, 40, 300, 6, 400];

/** `two`, `one`: attacks with so many honest sources at least; `collapse`: hours of coins that fell apart or were pumped. */
const groups = ['honest', 'two', 'one', 'danger', 'unpriced', 'pump', 'collapse'] as const;
type Group = (typeof groups)[number];

interface Case {
  readonly group: Group;
  /** In 1/10,000. */
  readonly lossBps: number;
  /** Checks that do not pass. */
  readonly stoppedBy: readonly string[];
}

/** A search varies by a few of these between seeds. */
const NOISE_BPS = 5;
const MAGNITUDES = [0.002, 0.003, 0.004, 0.006, 0.008, 0.01, 0.02, 0.05, 0.2, 0.5];

const cases = [...honestCases(), ...familyCases(), ...dangerCases(), ...pumpCases(), ...collapseCases()];
const all = checks.map(({ id }) => id);
const full = boundsOf(all);

console.log(`rules ${rulesVersion}, seed ${seed}, ${figure(cases.length)} cases\n`);
const alone: Table = [
  [
    'without the check',
    'honest moments that only it refuses',
    'attacks that only it stops, two honest sources',
    'one honest source',
    'dangers that only it stops',
    'those that no price shows',
    'pumps',
    'hours of a collapse',
    'worst loss that a search finds, two honest sources',
  ],
  ...all.map(aloneOf),
];
print(alone);
console.log('');
const kept: Table = [
  ['checks', 'dropped', 'honest refused', 'two honest: worst', 'one honest: worst', 'search: worst'],
  ...greedy(),
];
print(kept);
record(values.record, 'ablation', alone);

function caseOf(group: Group, scene: Scene): Case {
  const { findings } = judgeProposal(proposalOf(scene));
  const stoppedBy = findings.filter(({ outcome }) => outcome !== 'pass').map(({ check }) => check);
  return { group, lossBps: lossOf(scene) * 10_000, stoppedBy };
}

function honestCases(): Case[] {
  return symbols.flatMap((symbol) => {
    const draw = random(seedOf(seed, `honest ${symbol}`));
    return Array.from({ length: honestOfEach }, () => {
      const { at, second } = drawTime(symbol, secondOf('2021-01-01'), secondOf('2027-01-01'), draw);
      return caseOf('honest', honestMoment(symbol, at, second, draw));
    });
  });
}

function familyCases(): Case[] {
  return families
    .filter(({ honest }) => honest > 0)
    .flatMap(({ name, honest, strike }) => {
      const draw = random(seedOf(seed, name));
      return Array.from({ length: ofFamily }, () => drawBase(draw)).flatMap((base) =>
        MAGNITUDES.map((by) => caseOf(honest >= 2 ? 'two' : 'one', strike(base, by, draw))),
      );
    });
}

function dangerCases(): Case[] {
  return dangers.flatMap(({ name, isUnpriced, draw: drawDanger }) => {
    const draw = random(seedOf(seed, name));
    return Array.from({ length: ofDanger }, () => caseOf(isUnpriced ? 'unpriced' : 'danger', drawDanger(draw)));
  });
}

function pumpCases(): Case[] {
  return pumps
    .filter(({ isSudden }) => isSudden)
    .flatMap(({ name, strike }) => {
      const draw = random(seedOf(seed, name));
      return Array.from({ length: ofFamily }, () => drawBase(draw)).flatMap((base) =>
        pumpedBy.filter((by) => by >= 0.1).map((by) => caseOf('pump', strike(base, by))),
      );
    });
}

function collapseCases(): Case[] {
  return events
    .filter(({ symbol }) => ['LUNA', 'UST', 'USDC', 'MNGO'].includes(symbol))
    .flatMap(({ scenes }) => scenes().map((scene) => caseOf('collapse', scene)));
}

/** Whether a case is one that must not be GO. */
function isBad({ group, lossBps }: Case): boolean {
  if (group === 'honest') return false;
  if (group === 'unpriced' || group === 'pump' || group === 'collapse') return true;
  return lossBps > UNFAIR_BPS;
}

interface Bounds {
  /** Cases that must not be GO and are, by group. */
  readonly missed: Readonly<Record<Group, number>>;
  readonly refused: number;
  /** Largest losses with GO. */
  readonly two: number;
  readonly one: number;
}

function boundsOf(ids: readonly string[]): Bounds {
  const isGo = ({ stoppedBy }: Case) => !stoppedBy.some((id) => ids.includes(id));
  const missed = Object.fromEntries(groups.map((group) => [group, 0])) as Record<Group, number>;
  const worst = { two: 0, one: 0 };
  for (const each of cases.filter(isGo)) {
    if (isBad(each)) missed[each.group] += 1;
    if (each.group === 'two' || each.group === 'one') worst[each.group] = Math.max(worst[each.group], each.lossBps);
  }
  const honest = cases.filter(({ group }) => group === 'honest');
  const refused = honest.filter((each) => !isGo(each)).length / honest.length;
  return { missed, refused, ...worst };
}

/** Worst loss that the search finds among these checks, with two honest sources. */
function searched(ids: readonly string[]): number {
  const judge = (scene: Scene) => {
    const { findings } = judgeProposal(proposalOf(scene));
    const isStopped = findings.some(({ check, outcome }) => outcome !== 'pass' && ids.includes(check));
    return { verdict: isStopped ? 'CAUTION' : 'GO' } as const;
  };
  const worsts = hunts
    .filter(({ honest }) => honest >= 2)
    .flatMap((hunt) => search(hunt, moments, steps, [seed], judge).worsts);
  return Math.max(0, ...worsts.map((worst) => worst ?? 0));
}

function aloneOf(id: string): string[] {
  const only = cases.filter(({ stoppedBy }) => stoppedBy.length === 1 && stoppedBy[0] === id);
  const count = (group: Group) =>
    figure(only.filter((each) => each.group === group && (group === 'honest' || isBad(each))).length);
  const others = all.filter((each) => each !== id);
  return [id, ...groups.map(count), percent(searched(others))];
}

function isNoWorse(bounds: Bounds, than: Bounds): boolean {
  return (
    groups.every((group) => bounds.missed[group] <= than.missed[group]) &&
    bounds.two <= than.two + NOISE_BPS &&
    bounds.one <= than.one + NOISE_BPS
  );
}

/** Drops one check after the other, always the one that refuses most honest moments, while nothing more passes. */
function greedy(): string[][] {
  const most = searched(all);
  const rows = [rowOf(all, '', full, most)];
  let ids = all;
  for (;;) {
    const dropped = droppable(ids, most);
    if (dropped === undefined) return [...rows, [`kept: ${ids.join(', ')}`, '', '', '', '', '']];
    ids = dropped.rest;
    rows.push(rowOf(ids, dropped.id, dropped.bounds, dropped.found));
  }
}

function droppable(ids: readonly string[], most: number) {
  const candidates = ids
    .map((id) => ({ id, rest: ids.filter((each) => each !== id) }))
    .map((each) => ({ ...each, bounds: boundsOf(each.rest) }))
    .filter(({ bounds }) => isNoWorse(bounds, full))
    .toSorted((a, b) => a.bounds.refused - b.bounds.refused);
  for (const each of candidates) {
    const found = searched(each.rest);
    if (found <= most + NOISE_BPS) return { ...each, found };
  }
  return undefined;
}

function rowOf(ids: readonly string[], dropped: string, { refused, two, one }: Bounds, found: number): string[] {
  return [`${ids.length}`, dropped, percent(refused * 10_000), percent(two), percent(one), percent(found)];
}

function percent(bps: number): string {
  return `${(bps / 100).toFixed(2)} %`;
}

function print(table: Table): void {
  const [head = [], ...rows] = table;
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
}
