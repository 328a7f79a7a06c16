import { Absent, type Answer, ask, good, lacksTokens, must, type Promised, post, type World } from './promise.ts';

// What the page's server promises.

/** More than any asset's pools bear. */
const TOO_MUCH_USD = 10_000_000;

async function order(
  { webUrl, owner, priceUsd }: World,
  amountUsd: number,
  more: object = {},
): Promise<Answer['json']> {
  const answer = await post(`${webUrl}/api/buy`, { asset: 'BTCB', amount_usd: `${amountUsd}`, owner, ...more });
  if (priceUsd > 0 && answer.status === 402)
    throw new Absent('Not played here: it costs money, since page and agent have no PAGE_SECRET in common.');
  const judged = good(answer);
  must(['GO', 'CAUTION', 'NO_GO', 'NO_DATA'].includes(judged.verdict), `says ${judged.verdict}`);
  return judged;
}

const isOffered = (answer: unknown): boolean => /"(data|signature)":"0x/.test(JSON.stringify(answer));

/** How many dollars are too many for a GO and too few for a NO_GO. Undefined: the market has no such size. */
async function cautious(world: World): Promise<number | undefined> {
  let [enough, tooMuch] = [100, TOO_MUCH_USD];
  for (let tries = 0; tries < 12 && tooMuch - enough > 1; tries += 1) {
    const amountUsd = Math.round(Math.sqrt(enough * tooMuch));
    const { verdict } = await order(world, amountUsd);
    if (verdict === 'CAUTION') return amountUsd;
    if (verdict === 'GO') enough = amountUsd;
    else tooMuch = amountUsd;
  }
  return undefined;
}

/** What a browser is sent: the page, its settings, prices, and every script and style that one of them names. */
async function sentToBrowsers(webUrl: string): Promise<readonly (readonly [path: string, answer: Answer])[]> {
  const paths = new Set(['/', '/config.json', '/api/quote']);
  const sent: (readonly [string, Answer])[] = [];
  // Grows while it is gone through.
  for (const path of paths) {
    const answer = await ask(`${webUrl}${path}`);
    // A script names others by their names alone, and libraries what are no files here.
    if (answer.status !== 200) continue;
    sent.push([path, answer]);
    for (const [, name] of answer.text.matchAll(/([\w-]+\.(?:js|css))\b/g)) paths.add(`/assets/${name}`);
  }
  return sent;
}

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
    keep: async (world) => {
      const answer = await order(world, 100);
      // A CAUTION wants to be acknowledged first.
      must(!isOffered(answer) || answer.verdict === 'GO', `offers something to sign for ${answer.verdict}`);
      return `${answer.verdict}, ${isOffered(answer) ? 'an offer' : 'no offer'}`;
    },
  },
  {
    that: 'POST /api/buy gives calldata for a CAUTION to whoever has acknowledged its warning, and to nobody else',
    keep: async (world) => {
      const amountUsd = await cautious(world);
      if (amountUsd === undefined) throw new Absent('The market has no size of an order for a CAUTION at present.');
      const silent = await order(world, amountUsd);
      const acknowledged = await order(world, amountUsd, { acknowledge_caution: true });
      if (silent.verdict !== 'CAUTION' || acknowledged.verdict !== 'CAUTION')
        throw new Absent('The market has moved on, to another verdict than CAUTION.');
      must(!isOffered(silent), 'offers something to sign without an acknowledgement');
      const warnings = silent.findings?.filter(({ outcome }: { outcome?: string }) => outcome === 'caution');
      must(warnings?.length > 0, 'warns of nothing');
      if (!isOffered(acknowledged) && acknowledged.withheld === 'balance_too_low') throw new Absent(lacksTokens(world));
      must(isOffered(acknowledged), `offers nothing after the acknowledgement (${acknowledged.withheld})`);
      return `${amountUsd} USD, ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}`;
    },
  },
  {
    that: 'the data provider’s key is in nothing that a browser is sent',
    keep: async ({ webUrl, marketDataKey }) => {
      const sent = await sentToBrowsers(webUrl);
      const [home] = sent;
      must(home?.[0] === '/' && sent.some(([path]) => path.endsWith('.js')), 'the page has no script');
      if (marketDataKey === undefined)
        throw new Absent('No MARKET_DATA_KEY is set here: it takes the page server’s to look for it.');
      const telling = sent.filter(([, { text, headers }]) =>
        [text, ...headers.values()].some((each) => each.includes(marketDataKey)),
      );
      must(telling.length === 0, `is in ${telling.map(([path]) => path).join(', ')}`);
      return `${sent.length} answers`;
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
