import { createHmac } from 'node:crypto';
import type { Asset } from '@bowline/core/domain/assets';
import { shortAddress } from '@bowline/core/domain/readable';
import { listedAt } from '@bowline/core/domain/same-address';
import { shortAmount } from '@bowline/core/texts/amounts';
import { noticeText } from '@bowline/core/texts/notices';
import { z } from 'zod';
import type { Posted } from './post.ts';

export type Telegram = ReturnType<typeof createTelegram>;

interface Options {
  readonly token: string;
  readonly assets: readonly Asset[];
  /** Base URL of Telegram's Bot API. */
  readonly apiUrl?: string;
  readonly timeoutMs?: number;
}

/** Maximum updates answered per round. Telegram keeps the others for the next round. */
const MAX_UPDATES = 20;
const MAX_TEXT = 4_000;

const updatesSchema = z.object({
  result: z.array(
    z.object({
      update_id: z.int(),
      message: z.object({ chat: z.object({ id: z.int() }), text: z.string().optional() }).optional(),
    }),
  ),
});

/**
 * An operator's own bot, as a channel for notices. Its address takes the place of a webhook's URL and consists of a
 * chat and a code that only the bot can give it.
 */
export function createTelegram({ token, assets, apiUrl = 'https://api.telegram.org', timeoutMs = 5_000 }: Options) {
  let offset = 0;
  const ask = (method: string, body: object) =>
    fetch(`${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
  // Without the code, anyone could send notices about their own accounts to a stranger's chat.
  const addressOf = (chat: string) =>
    `telegram:${chat}:${createHmac('sha256', token).update(`notices ${chat}`).digest('hex').slice(0, 32)}`;

  async function say(chat: string, text: string): Promise<Posted> {
    try {
      const { status, body } = await ask('sendMessage', { chat_id: chat, text: text.slice(0, MAX_TEXT) });
      await body?.cancel();
      // The chat is gone, or has blocked the bot: a webhook reports this as 410.
      return { status: status === 400 || status === 403 ? 410 : status };
    } catch (error) {
      return { failed: (error as Error).name === 'TimeoutError' ? 'timeout' : 'unreachable' };
    }
  }

  return {
    /** The chat of an address like `telegram:12345:ab…`; undefined unless the bot gave the address in that chat. */
    chatOf(url: string) {
      const [, chat] = /^telegram:(-?\d{1,16}):[0-9a-f]{32}$/.exec(url) ?? [];
      return chat !== undefined && addressOf(chat) === url ? chat : undefined;
    },
    /** Never rejects. */
    send: (chat: string, notice: Parameters<typeof noticeText>[0]) =>
      say(
        chat,
        noticeText(notice, (token, base) => amountOf(assets, token, base)),
      ),
    /** Sends each chat that starts the bot the address for its notices. */
    async round(stopping: AbortSignal): Promise<{ readonly counts: Readonly<Record<string, number>> }> {
      const asked = { offset, limit: MAX_UPDATES, timeout: 0, allowed_updates: ['message'] };
      const response = await ask('getUpdates', asked).catch(() => undefined);
      const { data } = updatesSchema.safeParse(await response?.json().catch(() => undefined));
      if (data === undefined) return { counts: { telegram_unavailable: 1 } };
      let answered = 0;
      for (const { update_id, message } of data.result) {
        if (stopping.aborted) break;
        offset = update_id + 1;
        if (!message?.text?.startsWith('/start')) continue;
        await say(
          String(message.chat.id),
          `To get notices in this chat, register this address:\n${addressOf(String(message.chat.id))}`,
        );
        answered += 1;
      }
      return { counts: { answered } };
    },
  };
}

function amountOf(assets: readonly Asset[], token: Asset['address'], base: bigint): string {
  const asset = listedAt(assets, token);
  return asset ? `${shortAmount(base, asset.decimals)} ${asset.symbol}` : `${base} units of ${shortAddress(token)}`;
}
