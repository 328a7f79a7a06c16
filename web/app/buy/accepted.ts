import type { BuyAnswer } from '../../wire.ts';

/** The checks that an answer did not pass, by name: these are what the user accepts. */
export const notPassedIn = ({ findings }: Pick<BuyAnswer, 'findings'>): readonly string[] =>
  findings.flatMap(({ check, outcome }) => (outcome === 'pass' ? [] : [check]));
