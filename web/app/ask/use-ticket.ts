import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { AgentAnswer } from '../../wire.ts';
import { getJson } from '../api/request.ts';
import { judge } from '../replay/judge.ts';
import { judgeTicket, type TicketJudged } from '../replay/judge-ticket.ts';
import { useSettings } from '../settings.tsx';

const EVIDENCE_MS = 10_000;

/** What an answer's ticket is worth, judged once in the worker as Check does; undefined until then. */
export function useTicket(ticket: AgentAnswer['tickets'][number], now: bigint | undefined): TicketJudged | undefined {
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
