import { figure, type Table } from '../record.ts';

/** Milliseconds: a bare server to its first answer, the agent to its first verdict, the best of several; two runs of `npm start`. */
export interface Starts {
  readonly bare: number;
  readonly packaged: number;
  readonly checkout: number;
  /** Absent: not measured. */
  readonly first?: number;
  readonly second?: number;
}

const VERDICT_RATIO = 6;
const FIRST_SECONDS = 20;
const SECOND_SECONDS = 12;

/** The table of a result, and a sentence for each bar that it does not pass. */
export function rowsOf({ bare, packaged, checkout, first, second }: Starts): { table: Table; below: string[] } {
  const ratio = (ms: number) => `${figure(ms)} ms, ${figure(ms / bare, 1)} ×`;
  const seconds = (ms: number) => `${figure(ms / 1_000, 1)} s`;
  const whole = [
    { name: 'first `npm start`, nothing built yet, to its URLs', ms: first, bar: FIRST_SECONDS },
    { name: 'second `npm start`', ms: second, bar: SECOND_SECONDS },
  ].flatMap(({ ms, ...rest }) => (ms === undefined ? [] : [{ ms, ...rest }]));
  const table = [
    ['from a start', 'measured', 'at most'],
    ['a bare server of `node:http`, to its first answer', `${figure(bare)} ms`, ''],
    ['the packaged agent, to its first verdict', ratio(packaged), `${VERDICT_RATIO} ×`],
    ['the agent of a checkout, to its first verdict', ratio(checkout), ''],
    ...whole.map(({ name, ms, bar }) => [name, seconds(ms), `${bar} s`]),
  ];
  const below = [
    ...(packaged > VERDICT_RATIO * bare ? [`a verdict after ${ratio(packaged)} of ${VERDICT_RATIO} ×`] : []),
    ...whole.flatMap(({ name, ms, bar }) => (ms > bar * 1_000 ? [`${name}: ${seconds(ms)} of ${bar} s`] : [])),
  ];
  return { table, below };
}
