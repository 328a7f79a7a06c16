import { setTimeout as sleep } from 'node:timers/promises';
import { onlyOptions } from '../world/options.ts';
import { writeCorpus } from './corpus.ts';

// `npm run lab -- record`: asks the agent of a running `npm start` for verdicts on every traded asset, both
// sides, many sizes and every scene. The answers of `GET /verdict` become the corpus that `npm test` replays (test/corpus).

/**
 * In dollars. Some exceed the depth of the local pools. Each scene adds its own number, because an equal question would
 * get the same ticket.
 */
const sizes = [7, 250, 1_000, 12_500.5, 400_000];

/** The agent accepts 120 questions a minute. */
const paceMs = 510;

async function play(scene: string): Promise<void> {
  const body = JSON.stringify({ words: scene.split(' ') });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${options.market}/scene`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`The market refuses "${scene}": ${await response.text()}`);
  await sleep(3_000);
}

const options = onlyOptions('npm run lab -- record', {
  agent: 'http://127.0.0.1:4020',
  market: 'http://127.0.0.1:4030',
});
const events = ['crash BTCB 15%', 'stale-oracle ETH', 'pool-manipulated BTCB', 'late-feed ETH'];
const scenes = ['calm', ...events.flatMap((event) => [event, 'calm'])];

interface Answer {
  readonly verdict: string;
  readonly reason: string | null;
}

const answers: Answer[] = [];
for (const [number, scene] of scenes.entries()) {
  await play(scene);
  for (const symbol of ['BTCB', 'ETH', 'WBNB', 'USDC']) {
    for (const side of ['buy', 'sell']) {
      for (const size of sizes) {
        await sleep(paceMs);
        const question = `asset=${symbol}&side=${side}&amount_usd=${size + number}`;
        const response = await fetch(`${options.agent}/verdict?${question}`);
        if (response.ok) answers.push((await response.json()) as Answer);
      }
    }
  }
  const found = Object.groupBy(answers, ({ reason, verdict }) => reason ?? verdict);
  console.log(scene, Object.fromEntries(Object.entries(found).map(([what, of]) => [what, of?.length])));
}
writeCorpus('rules', answers);
