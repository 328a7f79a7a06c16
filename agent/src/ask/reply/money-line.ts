import { grouped, inUtc, toIsoTime } from '@bowline/core/domain/readable';
import { formatBps } from '@bowline/core/domain/units';
import type { Checked } from '../../tools/check-asset.ts';
import { tokens } from './words.ts';

/**
 * What a verdict means in money, as the rest of its first sentence: what is paid and received, what that costs in all, of
 * what, and until when its ticket holds. Empty if the pool quotes no swap.
 */
export function moneyLine({ verdict, pay, receive, cost, ticket }: Checked): string {
  if (pay === null || receive === null) return '';
  const trade = `: you ${verdict === 'GO' ? '' : 'would '}pay ${tokens({ token: pay.symbol, amount: pay.amount })} and get ${tokens({ token: receive.symbol, amount: receive.amount })}`;
  return `${trade}${cost === null ? '' : costLine(cost)}${ticket === null || !holds(verdict) ? '' : `; the ticket holds until ${until(ticket)}`}`;
}

/** What to do with a size that is too large; empty if size is not the only problem. */
export const sizeLine = ({ go_up_to }: Pick<Checked, 'go_up_to'>): string =>
  go_up_to === null
    ? ''
    : ` GO up to ${tokens({ token: go_up_to.symbol, amount: go_up_to.amount })}, or in ${grouped(go_up_to.slots)} slots.`;

/** The ticket of any other verdict permits nothing. */
const holds = (verdict: Checked['verdict']): boolean => verdict === 'GO' || verdict === 'CAUTION';

const until = ({ expires_at }: NonNullable<Checked['ticket']>): string => inUtc(toIsoTime(BigInt(expires_at)));

function costLine({
  received_usd,
  total_usd,
  total_bps,
  fee_usd,
  impact_usd,
  distance_usd,
}: NonNullable<Checked['cost']>): string {
  const gain = total_usd.startsWith('-');
  const bps = BigInt(total_bps);
  const parts = [
    `fee ${usd(fee_usd)}`,
    `price impact ${usd(impact_usd)}`,
    `distance from the reference ${usd(distance_usd)}`,
  ];
  const inAll = `${gain ? 'a gain of' : 'a cost of'} ${usd(total_usd.replace('-', ''))} in all (${formatBps(bps < 0n ? -bps : bps)}: ${parts.join(', ')})`;
  return `, worth ${usd(received_usd)}, ${inAll}`;
}

/** To the cent; "under 0.01 USD" for less. Truncated. */
function usd(decimal: string): string {
  const [, sign = '', whole = '0', cents = '', more = ''] = /^(-?)(\d+)(?:\.(\d{1,2})(\d*))?$/.exec(decimal) ?? [];
  const rounded = grouped(/[1-9]/.test(cents) ? `${whole}.${cents.padEnd(2, '0')}` : whole);
  if (rounded === '0') return /[1-9]/.test(more) ? 'under 0.01 USD' : '0 USD';
  return `${sign}${rounded} USD`;
}
