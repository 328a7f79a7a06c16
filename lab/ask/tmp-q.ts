import { localChainId } from '@bowline/core/domain/chains';
import { readAssetRegistry } from '@bowline/core/registry/assets';
import { isAddress } from 'viem';
import { readIntent, readQuestion } from '../../agent/src/ask/forms/read.ts';

const real = readAssetRegistry(localChainId, (text): text is `0x${string}` => isAddress(text));

import { readFileSync } from 'node:fs';

for (const line of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const zh = /\p{Script=Han}/u.test(line);
  const q = readQuestion(line.toLowerCase(), zh ? 'zh' : 'en', real) as any;
  const i = readIntent(line, real) as any;
  console.log(
    line,
    '\n   ',
    [...q.topics].join(','),
    '| left',
    q.left,
    '| unk',
    q.unknown.join(','),
    '| items',
    q.items.length,
    'tr',
    q.trades.length,
    'am',
    q.amounts.length,
    'span',
    !!q.span,
    '=>',
    'calls' in i
      ? i.calls.map((c: any) => c.tool + JSON.stringify({ ...c.input, ...c.details })).join('+')
      : (i.fixed ?? 'ASK ' + i.back),
  );
}
