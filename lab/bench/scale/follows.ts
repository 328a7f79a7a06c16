import { readFileSync } from 'node:fs';
import { figure, type Recorded, readRecorded } from '../record.ts';

// What the benchmarks' results and the sizes of the agent's pages say of other numbers of plans and guards.

/** Ids in one request, once they are known: plan-reader.ts and guard-reader.ts. */
const KNOWN_PLANS = 1_600;
const KNOWN_GUARDS = 1_800;
/** The most that one of those requests asks for. */
const GAS_OF_A_PAGE = 40_000_000;
/** Accounts that the rotation reads at a block, and the blocks within which it reads all of a smaller number. */
const ROTATED = 2_400;
const ROTATION_BLOCKS = 10;
const BLOCK_SECONDS = 0.45;

const counts = [10_000, 100_000, 1_000_000] as const;
/** Of loops.json, and of crowd.json. */
const MEASURED = 10_000;
const CROWD = 100_000;

/** The table of scale.md. */
export function follows(read: (name: string) => Recorded = readRecorded): string {
  const [loops, crowd] = [read('loops'), read('crowd')];
  const guardsFirst = numbersOf(loops, 'guards, first time');
  const guardsAgain = numbersOf(loops, 'guards, again (each interval)');
  const atBlock = numbersOf(loops, 'loans at a block');
  const crowdAtBlock = numbersOf(crowd, 'a block (every 450 ms)');
  const blockCpu = (count: number): number =>
    count === MEASURED ? at(atBlock, 1) / 1_000 : ((at(crowdAtBlock, -1) / 1_000) * count) / CROWD;
  const times = (count: number) => count / MEASURED;
  const pages = (count: number, size: number) => Math.ceil(count / size);
  const cpu = (seconds: number) => `${figure(seconds, seconds < 10 ? 2 : 0)} s`;
  const gas = (file: string, name: string) =>
    figure(Number(JSON.parse(readFileSync(new URL(`../../../snapshots/${file}.json`, import.meta.url), 'utf8'))[name]));
  const rows: [string, (count: number) => string][] = [
    ['requests to read guards for the first time', (count) => figure(at(guardsFirst, -1) * times(count))],
    [
      'requests to read known plans · guards, each interval',
      (count) => `${pages(count, KNOWN_PLANS)} · ${pages(count, KNOWN_GUARDS)}`,
    ],
    [
      'their gas in the node’s `eth_call`, at most',
      (count) =>
        `${figure((pages(count, KNOWN_PLANS) * GAS_OF_A_PAGE) / 1e9, 1)} · ${figure((pages(count, KNOWN_GUARDS) * GAS_OF_A_PAGE) / 1e9, 1)} billion`,
    ],
    [
      'CPU for guards, first time · each interval',
      (count) =>
        `${cpu((at(guardsFirst, 1) / 1_000) * times(count))} · ${cpu((at(guardsAgain, 1) / 1_000) * times(count))}`,
    ],
    ['CPU for loans at a block', (count) => cpu(blockCpu(count))],
    [
      'an account is read at least every',
      (count) => `${figure(Math.max(ROTATION_BLOCKS, Math.ceil(count / ROTATED)))} blocks`,
    ],
    ['cores for loans at a block, at least', (count) => `${Math.ceil(blockCpu(count) / BLOCK_SECONDS)}`],
    ['gas of the owners: a plan · a guard', () => `${gas('plan', 'create')} · ${gas('guard', 'register')} each`],
  ];
  return [
    `| | ${counts.map((count) => figure(count)).join(' | ')} |`,
    `| --- |${counts.map(() => ' --- |').join('')}`,
    ...rows.map(([name, of]) => `| ${name} | ${counts.map(of).join(' | ')} |`),
  ].join('\n');
}

/** The numbers in the cells of a row, in their order. */
function numbersOf({ command, table }: Recorded, name: string): number[] {
  const row = table.find(([first]) => first === name);
  if (row === undefined) throw new RangeError(`${command} has no row "${name}"`);
  return row
    .slice(1)
    .flatMap((cell) => [...`${cell}`.matchAll(/[\d,.]*\d/g)].map(([text]) => Number(text.replaceAll(',', ''))));
}

function at(numbers: readonly number[], index: number): number {
  const found = numbers.at(index);
  if (found === undefined) throw new RangeError('a row has fewer numbers than expected');
  return found;
}
