import { shortAddress } from '@bowline/core/domain/readable';
import { priceOf, sidedOf } from '@bowline/core/domain/sided';
import { isSale } from '../api/settings.ts';
import { useToken } from '../chain/use-token.ts';
import { Facts } from '../parts/facts.tsx';
import type { TicketVerified } from '../replay/tasks.ts';
import { useSettings } from '../settings.tsx';
import { namedToken } from '../words/amount-of.ts';
import { exactAmount } from '../words/amounts.ts';
import { partWords } from '../words/en/parts.ts';
import { verifyWords } from '../words/en/tickets.ts';
import { exactly } from '../words/times.ts';

interface Props {
  readonly verified: Pick<TicketVerified, 'ticket' | 'signer'>;
  readonly isExpired: boolean;
}

/** What the ticket allows, in its tokens' units if they can be read. */
export function Terms({ verified: { ticket, signer }, isExpired }: Props) {
  const settings = useSettings();
  const pay = useToken(ticket.tokenIn);
  const buy = useToken(ticket.tokenOut);
  const named = (token: typeof pay, address: typeof ticket.tokenIn) =>
    token ? namedToken(settings.assets, token, address) : shortAddress(address);
  const sided = pay && buy && sidedOf(isSale(settings, ticket), pay, buy);
  const most = pay
    ? `${exactAmount(ticket.maxAmountIn, pay.decimals)} ${pay.symbol}`
    : verifyWords.baseUnits(ticket.maxAmountIn);
  // Without a quote there is no price. A sale's price is the inverse, which zero does not have.
  const price = () =>
    sided
      ? verifyWords.per(
          exactAmount(priceOf(ticket.maxPriceWad, sided, false), sided.quote.decimals),
          sided.quote.symbol,
          sided.asset.symbol,
        )
      : verifyWords.perBase(ticket.maxPriceWad);
  return (
    <Facts
      rows={[
        [verifyWords.signedBy, signer ?? verifyWords.signedByNobody],
        [verifyWords.paysWith, named(pay, ticket.tokenIn)],
        [verifyWords.receives, named(buy, ticket.tokenOut)],
        [verifyWords.maxPerTrade, ticket.maxAmountIn === 0n ? verifyWords.nothing : most],
        [
          sided?.isSale ? verifyWords.lowestPrice : verifyWords.highestPrice,
          ticket.maxPriceWad === 0n ? verifyWords.noPrice : price(),
        ],
        [verifyWords.issued, exactly(ticket.issuedAt)],
        [isExpired ? verifyWords.expired : partWords.expires, exactly(ticket.expiresAt)],
        [partWords.evidence, ticket.evidenceHash],
      ]}
    />
  );
}
