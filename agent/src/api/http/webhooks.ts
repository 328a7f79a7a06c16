import { BowlineError } from '@bowline/core/domain/result';
import type { Hex } from '@bowline/core/domain/units';
import { sendProblem } from '@bowline/http/problem';
import type { Admit } from '@bowline/http/rate-limit';
import express, { Router } from 'express';
import type { z } from 'zod';
import { type Register, webhookRefusals } from '../../notify/register.ts';
import { readInput } from '../../tools/read-input.ts';
import { endpoints } from './endpoints.ts';
import { sendFailure } from './send-failure.ts';

const MAX_BODY_BYTES = 16 * 1024;

/** Lets accounts register where their notices go. Malformed requests do not count against the limit. */
export function createWebhooks(register: Register, admit: Admit): Router {
  const router = Router();
  const { path, body: schema } = endpoints.webhooks;
  router.post(path, express.json({ limit: MAX_BODY_BYTES }), async (request, response) => {
    const { body } = request;
    const given = readInput(schema, body);
    if (!given.ok) return sendFailure(response, given);
    if (!admit(request, response)) return;
    const data = given.value;
    const { action, owner, url } = data;
    const times = { updatedAt: BigInt(data.updated_at), expiresAt: BigInt(data.expires_at) };
    try {
      const answer = await register({ action, owner, url, ...times }, data.signature as Hex);
      if (typeof answer === 'object' && 'refused' in answer) {
        return sendProblem(response, 'webhook_refused', webhookRefusals[answer.refused], answer.refused);
      }
      const { secret, expiresAt } = answer === 'removed' ? { secret: null, expiresAt: null } : answer;
      response.set('Cache-Control', 'no-store').json({
        status: answer === 'removed' ? 'removed' : 'registered',
        owner,
        url,
        expires_at: expiresAt === null ? null : Number(expiresAt),
        secret,
      } satisfies z.input<typeof endpoints.webhooks.answer>);
    } catch (error) {
      if (!(error instanceof BowlineError) || error.code !== 'chain_unavailable') throw error;
      sendProblem(response, error.code, error.message);
    }
  });
  return router;
}
