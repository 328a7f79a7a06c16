import { formatBps } from '../../domain/units.ts';
import { judge } from '../check.ts';
import { recentMoveBy } from '../checks/recent-move.ts';

/** Of rules version 3, which said a logarithmic change as if it were a percentage. */
export const recentMove = recentMoveBy(
  ({ limits, asset }, { logBps }) => {
    const statement = `${asset.symbol} has moved by ${formatBps(logBps)} within its last two hours`;
    return judge(logBps, limits.moveBps, 'price_moving', statement);
  },
  (band) => band,
);
