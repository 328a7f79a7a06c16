import { localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { readIntent } from '../../agent/src/ask/forms/read.ts';
import { askBack } from '../../agent/src/ask/reply/ask-back.ts';
import { tools } from '../../agent/src/tools/index.ts';
import { assets } from '../../agent/test/ask/assets.ts';
import corpus from '../../agent/test/ask/corpus.json' with { type: 'json' };
import { sighted } from '../../agent/test/ask/first-sight.ts';

function meaning(tool: string, input: unknown, details: any = {}): string {
  const parsed = tools.find(({ name }) => name === tool)?.input.parse(input);
  const { priceUsd, units, yesterday } = details;
  const shown = {
    ...(parsed as object),
    ...(priceUsd && { priceUsd }),
    ...(units && { units }),
    ...(yesterday && { yesterday }),
  };
  return `${tool} ${JSON.stringify(shown, (_k, v) => (typeof v === 'bigint' ? v.toString() : v))}`;
}
const und = (intent: any) =>
  'calls' in intent
    ? intent.calls.map((c: any) => meaning(c.tool, c.input, c.details)).join(' + ')
    : 'fixed' in intent
      ? `fixed ${intent.fixed}`
      : 'ask';
const show = process.argv[2];
let T = [0, 0, 0, 0];
for (const [part, list] of Object.entries(corpus)) {
  if (part === 'about') continue;
  let [right, asked, wrong, choice] = [0, 0, 0, 0];
  for (const p of list as any[]) {
    const intent = readIntent(p.prompt, assets) as any;
    const got = und(intent);
    const want = p.calls ? p.calls.map((c: any) => meaning(...(c as [any, any]))).join(' + ') : 'ask';
    if (got === want || (want === 'ask' && got.startsWith('fixed'))) {
      right++;
      if (want === 'ask' && got.startsWith('fixed') && show === 'f') console.log('FIXED', got, '|', p.prompt);
      continue;
    }
    if ('back' in intent) {
      asked++;
      const ok = askBack(intent, assets).choices.some(({ prompt }) => und(readIntent(prompt, assets)) === want);
      if (ok) choice++;
      if (show === 'a' || show === part)
        console.log('ASKED', ok ? 'C' : '-', p.prompt, '|', want, '|', intent.back, intent.about ?? '');
    } else {
      wrong++;
      console.log('WRONG', part, p.prompt, '| want', want, '| got', got);
    }
  }
  T = [T[0]! + right, T[1]! + asked, T[2]! + choice, T[3]! + wrong];
  console.log(`${part}: ${right} right, ${asked} asked (${choice} by choice), ${wrong} wrong of ${list.length}`);
}
console.log('ALL', T);
const real = readAssetRegistry(localChainId, (text): text is `0x${string}` => isAddress(text));
for (const half of ['worked', 'kept', 'again', 'traps_worked', 'traps_kept'] as const) {
  const all = sighted(half, real);
  for (const e of all)
    if (e.outcome === 'wrong' || (show === 'a' && e.outcome === 'asked') || (show === 'fs' && e.outcome === 'asked'))
      console.log(e.outcome, e.prompt, '| want', e.wanted, '| got', e.got);
  console.log(
    half,
    all.filter((e) => e.outcome === 'right').length,
    'of',
    all.length,
    'asked',
    all.filter((e) => e.outcome === 'asked').length,
    'wrong',
    all.filter((e) => e.outcome === 'wrong').length,
  );
}
