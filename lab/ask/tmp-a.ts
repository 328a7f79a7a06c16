import { readIntent } from '../../agent/src/ask/forms/read.ts';
import { askBack } from '../../agent/src/ask/reply/ask-back.ts';
import { fixedReply } from '../../agent/src/ask/reply/fixed.ts';
import { assets } from '../../agent/test/ask/assets.ts';
import { readFileSync } from 'node:fs';
const src = readFileSync('agent/test/ask/answer.test.ts','utf8');
const body = src.slice(src.indexOf('AG-24: a guess is told'), src.indexOf("AG-25: the runs of a plan are added"));
for (const m of body.matchAll(/\[\s*(['"`])((?:(?!\1).)*)\1,\s*(\/(?:[^\n])*\/)\s*,?\s*\]/g)) {
  const prompt = m[2]!.replace('${OWNER}', '0x1111111111111111111111111111111111111111').replace(/\\'/g,"'");
  const i = readIntent(prompt, assets) as any;
  const text = 'back' in i ? askBack(i, assets).text : 'fixed' in i ? fixedReply(i.fixed, i.language, i.about) : JSON.stringify(i.calls);
  console.log(new RegExp(m[3]!.slice(1,-1)).test(text) ? 'ok ' : 'NO ', prompt, '=>', text.slice(0,260), '   WANT', m[3]!.slice(0,160));
}
