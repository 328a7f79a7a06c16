import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { AgentAnswer } from '../../wire.ts';
import { getJson } from '../api/request.ts';
import { assetAt, isSale } from '../api/settings.ts';
import { useChainTime } from '../chain/use-clock.ts';
import { isCurrent, useNetwork } from '../chain/use-line.tsx';
import { OldVerdict, VerdictBadge } from '../parts/verdict-badge.tsx';
import { judge } from '../replay/judge.ts';
import { judgeTicket, type TicketJudged } from '../replay/judge-ticket.ts';
import { useSettings } from '../settings.tsx';
import { askWords } from '../words/en/ask.ts';
import { timeOfDay } from '../words/times.ts';
import { goodFor, judgedWords } from './ticket-words.ts';

/** The last time that a browser can format, unix seconds. */
const LAST_TIME = 8_640_000_000n;

/**
 * A ticket that the agent claims to have signed, judged again by this browser. Its verdict is shown only while the
 * ticket is good and valid; a token that the page does not list gets no card.
 */
export function TicketCard({ ticket }: { readonly ticket: AgentAnswer['tickets'][number] }) {
  const settings = useSettings();
  const now = useChainTime();
  const [pay, get] = [assetAt(settings, ticket.token_in), assetAt(settings, ticket.token_out)];
  const judged = useTicket(ticket, now);
  // With stale chain data, no ticket counts as still good.
  const isKnown = isCurrent(useNetwork());
  const expiresAt = BigInt(ticket.expires_at);
  if (pay === undefined || get === undefined || expiresAt > LAST_TIME) return null;
  const isSold = isSale(settings, { tokenIn: pay.address, tokenOut: get.address });
  const until = timeOfDay(Number(expiresAt) * 1_000);
  const isOver = now !== undefined && now >= expiresAt;
  const isValid = isKnown && now !== undefined && !isOver && now >= BigInt(ticket.issued_at ?? 0);
  return (
    <div className="ticket box stack small">
      <p>
        <strong>{isSold ? askWords.sale(pay.symbol) : askWords.purchase(get.symbol)}</strong>{' '}
        {judged?.state === 'good' && isValid && <VerdictBadge verdict={judged.verdict} />}
        {judged?.state === 'good' && isOver && <OldVerdict asOf={until} />}
        {judged?.state === 'wrong' && <span className="badge word bad">{askWords.wrong}</span>}
      </p>
      {judged?.state === 'good' && isValid && (
        <p className="faint">
          {goodFor(settings, ticket, judged.verdict)} {askWords.validUntil(until)}
        </p>
      )}
      <p className="faint">{judgedWords(judged)}</p>
    </div>
  );
}

const EVIDENCE_MS = 10_000;

/** What an answer's ticket is worth, judged once in the worker as Check does; undefined until then. */
function useTicket(ticket: AgentAnswer['tickets'][number], now: bigint | undefined): TicketJudged | undefined {
  const { chainId, contracts, verdictSigners } = useSettings();
  const issuer = { chainId, planRegistry: contracts.planRegistry, verdictSigners };
  const { data } = useQuery({
    queryKey: ['answered-ticket', JSON.stringify(ticket)],
    queryFn: () =>
      judgeTicket(ticket, {
        ...{ issuer, at: now ?? 0n, judge },
        evidenceOf: (hash) => getJson(`/api/evidence/${hash}`, z.looseObject({}), EVIDENCE_MS),
      }),
    enabled: now !== undefined,
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
