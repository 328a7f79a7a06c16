import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Telegram's Bot API as far as the agent uses it, on this machine: updates that wait to be confirmed, and messages. */
export async function startTelegram(token: string) {
  const messages: { readonly chat_id: string; readonly text: string }[] = [];
  const blocked = new Set<string>();
  let updates: { readonly update_id: number; readonly message: object }[] = [];
  const asked: string[] = [];
  const methods: Readonly<Record<string, (body: never) => readonly [status: number, result: unknown]>> = {
    getUpdates({ offset, limit }: { offset: number; limit: number }) {
      updates = updates.filter(({ update_id }) => update_id >= offset);
      return [200, updates.slice(0, limit)];
    },
    sendMessage(message: (typeof messages)[number]) {
      if (blocked.has(message.chat_id)) return [403, undefined];
      messages.push(message);
      return [200, { message_id: messages.length }];
    },
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const [, bot, name = ''] = request.url?.split('/') ?? [];
    asked.push(name);
    const method = bot === `bot${token}` ? methods[name] : undefined;
    const [status, result] = method?.(JSON.parse(text) as never) ?? [404, undefined];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ok: status === 200, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return {
    ...{ messages, blocked, asked, apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    /** Somebody writes to the bot. */
    write(chat: number, text: string) {
      updates.push({ update_id: 700 + updates.length + asked.length * 100, message: { chat: { id: chat }, text } });
    },
  };
}
