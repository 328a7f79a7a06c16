import { grouped, inUtc } from '../../domain/readable.ts';
import { type Check, notAsked } from '../check.ts';
import { TICKET_SECONDS } from '../ticket.ts';

// While a share's exchange is closed its value is unknown, and in the first minutes of a session it is disputed. A
// ticket issued in the last minutes could be used after the close.
export const tradingSession: Check = {
  id: 'trading_session',
  question: 'Is what it stands for being traded?',
  rests: ['block'],
  run({ asset, session, chain, limits }) {
    const limit = limits.openingSeconds;
    const measure = { limit, unit: 'seconds' } as const;
    if (asset.calendar === undefined) {
      return notAsked({ caution: limit, noGo: limit }, 'seconds', `${asset.symbol} is traded at all hours.`);
    }
    if (session === undefined) {
      const detail = `The calendar ${asset.calendar} does not reach to this day.`;
      return { outcome: 'no_data', reason: 'session_missing', ...measure, detail };
    }
    if (session.state === 'closed') {
      const opens = session.opensAt === undefined ? '' : ` and opens at ${inUtc(session.opensAt)}`;
      const detail = `The exchange of ${asset.name} (${asset.calendar}) is closed${opens}.`;
      return { outcome: 'no_go', reason: 'session_closed', ...measure, detail };
    }
    const now = chain.block.timestamp;
    const measured = now - session.openedAt;
    const statement = `The exchange of ${asset.name} (${asset.calendar}) has been open for ${grouped(`${measured}`)} s`;
    if (session.closesAt - now < TICKET_SECONDS) {
      const detail = `${statement}, and closes at ${inUtc(session.closesAt)}, before a ticket of now would end.`;
      return { outcome: 'no_go', reason: 'session_closing', measured, ...measure, detail };
    }
    const detail = `${statement} (${limit} s are asked for) and closes at ${inUtc(session.closesAt)}.`;
    // The moment at which the limit is reached is outside the opening.
    return measured < limit
      ? { outcome: 'caution', reason: 'session_opening', measured, ...measure, detail }
      : { outcome: 'pass', measured, ...measure, detail };
  },
};
