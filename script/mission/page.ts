import { ask, good, must, type Promised, post } from './promise.ts';

// What the page's server promises.

const owner = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

export const pagePromises: readonly Promised[] = [
  {
    that: 'the page is served, with a content policy',
    keep: async ({ webUrl }) => {
      const { status, text, headers } = await ask(`${webUrl}/`);
      must(status === 200 && /<title>Bowline/.test(text), `answers ${status}`);
      must(headers.get('content-security-policy')?.includes('default-src'), 'has no content policy');
      return 'served';
    },
  },
  {
    that: 'GET /api/quote gives prices and history',
    keep: async ({ webUrl }) => {
      const { assets } = good(await ask(`${webUrl}/api/quote`));
      must(assets?.length > 0, 'has no assets');
      const withHistory = assets.filter(({ history }: { history?: unknown[] }) => history?.length).length;
      must(withHistory > 0, 'has no history');
      return `${assets.length} assets, ${withHistory} with history`;
    },
  },
  {
    that: 'POST /api/buy gives the verdict, and nothing to sign but for a GO',
    keep: async ({ webUrl }) => {
      const answer = good(await post(`${webUrl}/api/buy`, { asset: 'BTCB', amount_usd: '100', owner }));
      must(['GO', 'CAUTION', 'NO_GO', 'NO_DATA'].includes(answer.verdict), `says ${answer.verdict}`);
      const isOffered = /"(data|signature)":"0x/.test(JSON.stringify(answer));
      // A CAUTION wants to be acknowledged first.
      must(!isOffered || answer.verdict === 'GO', `offers something to sign for ${answer.verdict}`);
      return `${answer.verdict}, ${isOffered ? 'an offer' : 'no offer'}`;
    },
  },
  {
    that: 'POST /api/agent passes a question on to the agent',
    keep: async ({ webUrl }) => {
      const { result } = good(await post(`${webUrl}/api/agent`, { prompt: 'What is the price of ETH?' }));
      must(typeof result === 'string' && result !== '', 'has no result');
      return 'answered';
    },
  },
];
