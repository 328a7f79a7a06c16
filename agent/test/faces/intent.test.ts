import { describe, expect, test } from 'vitest';
import { type Intent, readIntent } from '../../src/faces/prompt/intent.ts';
import { tools } from '../../src/tools/index.ts';
import { assets } from './assets.ts';
import corpus from './corpus.json' with { type: 'json' };

interface Phrasing {
  readonly prompt: string;
  readonly calls?: [string, object][];
  readonly ask?: string;
  readonly declined?: boolean;
}

/** The same for every way of writing the same call: "250.50" and "250.5", a side that is said and one that is the default. */
function meaning(tool: string, input: unknown): string {
  const parsed = tools.find(({ name }) => name === tool)?.input.parse(input);
  return `${tool} ${JSON.stringify(parsed, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))}`;
}

function expected({ calls, ask }: Phrasing): string {
  if (calls) return calls.map(([tool, input]) => meaning(tool, input)).join(' + ');
  return ask ? `which ${ask}?` : 'declined';
}

function understood(intent: Intent): string {
  if ('calls' in intent) return intent.calls.map(({ tool, input }) => meaning(tool, input)).join(' + ');
  return 'missing' in intent ? `which ${intent.missing}?` : 'declined';
}

describe.each(['tuned', 'held_out'] as const)('%s', (part) => {
  test('at least 95 % of the phrasings are understood', () => {
    const phrasings = corpus[part] as Phrasing[];
    const misses = phrasings.filter(
      (phrasing) => understood(readIntent(phrasing.prompt, assets)) !== expected(phrasing),
    );
    for (const miss of misses) {
      console.log(
        `${miss.prompt}\n  wanted ${expected(miss)}\n  got    ${understood(readIntent(miss.prompt, assets))}`,
      );
    }
    const right = phrasings.length - misses.length;
    console.log(`${part}: ${right} of ${phrasings.length}`);
    expect(right / phrasings.length).toBeGreaterThanOrEqual(0.95);
  });
});
