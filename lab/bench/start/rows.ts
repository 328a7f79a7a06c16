import { figure, type Table } from '../record.ts';

/** Milliseconds to the first answer of /ping, the best of several, and of two runs of `npm start` to its last line. */
export interface Starts {
  readonly bare: number;
  readonly agent: number;
  readonly agentUncached: number;
  readonly first: number;
  readonly second: number;
}

const PING_RATIO = 3;
const FIRST_SECONDS = 20;
const SECOND_SECONDS = 12;

/** The table of a result, and a sentence for each bar that it does not pass. */
export function rowsOf({ bare, agent, agentUncached, first, second }: Starts): { table: Table; below: string[] } {
  const ratio = (ms: number) => `${figure(ms)} ms, ${figure(ms / bare, 1)} ×`;
  const seconds = (ms: number) => `${figure(ms / 1_000, 1)} s`;
  const table = [
    ['from a start', 'measured', 'at most'],
    ['a bare server of `node:http`, to its first answer', `${figure(bare)} ms`, ''],
    ['the agent, to the first answer of `/ping`', ratio(agent), `${PING_RATIO} ×`],
    ['the same, without compiled code of an earlier start', ratio(agentUncached), ''],
    ['first `npm start`, nothing built yet, to its URLs', seconds(first), `${FIRST_SECONDS} s`],
    ['second `npm start`', seconds(second), `${SECOND_SECONDS} s`],
  ];
  const below = [
    ...(agent > PING_RATIO * bare ? [`/ping after ${ratio(agent)} of ${PING_RATIO} ×`] : []),
    ...(first > FIRST_SECONDS * 1_000 ? [`first npm start ${seconds(first)} of ${FIRST_SECONDS} s`] : []),
    ...(second > SECOND_SECONDS * 1_000 ? [`second npm start ${seconds(second)} of ${SECOND_SECONDS} s`] : []),
  ];
  return { table, below };
}
