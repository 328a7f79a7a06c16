import { grouped } from '../../domain/readable.ts';
import { type Check, judge, unmeasured } from '../check.ts';

// A block that is not final may be reverted, and with it the price and the trade. (chain_freshness checks the age
// of the newest block.)
export const chainHealth: Check = {
  id: 'chain_health',
  question: 'Do blocks become final?',
  rests: ['block'],
  run({ chain: { block, finalBlock }, limits: { finalityBlocks: band } }) {
    if (finalBlock === undefined) {
      return unmeasured(
        'no_data',
        'finality_missing',
        band.noGo,
        'The node does not say which block is final.',
        'blocks',
      );
    }
    const behind = block.number > finalBlock ? block.number - finalBlock : 0n;
    const statement = `Block ${grouped(`${finalBlock}`)} is final, ${grouped(`${behind}`)} behind the newest`;
    return judge(behind, band, 'finality_stalled', statement, 'blocks');
  },
};
