import type { BuyAnswer } from '../../wire.ts';

/** The checks that an answer did not pass, by name: whoever accepts it has read these. */
export const notPassedIn = ({ findings }: Pick<BuyAnswer, 'findings'>): readonly string[] =>
  findings.flatMap(({ check, outcome }) => (outcome === 'pass' ? [] : [check]));
