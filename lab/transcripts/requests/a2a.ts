import { carol } from '../../../test/local/accounts.ts';
import type { Ask } from '../recorder.ts';

const terms = { deliverables: 'A verdict report', quality_standards: 'As offered', evaluation_required: false };

export async function recordA2a(ask: Ask): Promise<void> {
  const send = (heading: string, method: string, params: object, headers = {}) =>
    ask(heading, { path: '/a2a', headers, body: { jsonrpc: '2.0', id: 1, method, params } });
  const say = (heading: string, part: object) =>
    send(heading, 'message/send', { message: { kind: 'message', role: 'user', messageId: '1', parts: [part] } });
  const skill = (heading: string, data: object) => say(heading, { kind: 'data', data });
  const words = (heading: string, text: string) => say(heading, { kind: 'text', text });
  const message = { messageId: '1', role: 'ROLE_USER', parts: [{ text: 'What is the price of ETH?' }] };

  await words('A question, version 0.3', 'Is ETH fairly priced to buy for 500 USD?');
  await send('A question, version 1.0', 'SendMessage', { message }, { 'a2a-version': '1.0' });
  await words('A question that is not understood', 'Write me a poem about the sea');
  await skill('A tool as a skill', { skill: 'get_price', asset: 'BTCB' });
  await skill('A verdict', { skill: 'check_asset', asset: 'BTCB', amount_usd: 250 });
  await skill('An offer of a job', {
    ...{ skill: 'negotiate', task_description: 'Is BTCB fairly priced to buy for 5,000 USD?', terms, client: carol },
  });
  await skill('No offer for what is not sold', {
    ...{ skill: 'negotiate', task_description: 'Write a poem about the sea.', terms, client: carol },
  });
  await skill('An offer without a task', { skill: 'negotiate' });
  await skill('A missing job', { skill: 'notify_funded', job_id: '999' });
  await skill('A job without a number', { skill: 'notify_funded' });
  await skill('An unknown skill', { skill: 'sell_everything' });
  await skill('A skill without its input', { skill: 'loan_health' });
  await send('A message without parts', 'message/send', {
    message: { kind: 'message', role: 'user', messageId: '1', parts: [] },
  });
  await send('A missing task', 'tasks/get', { id: 'none' });
  await send('An unknown method', 'message/nothing', {});
  await ask('A body that is not JSON', { path: '/a2a', body: '{"jsonrpc": ' });
  await ask('A message at the root', {
    path: '/',
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'message/send' },
      params: { message: { kind: 'message', role: 'user', messageId: '1', parts: [{ kind: 'text', text: 'help' }] } },
    },
  });
  await ask('Another method of HTTP', { path: '/a2a' });
}
