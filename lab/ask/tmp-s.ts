import { readIntent } from '../../agent/src/ask/forms/read.ts';
import { assets } from '../../agent/test/ask/assets.ts';
const sells = ['sell','selling','dump','get rid of','exit','offload','cash out','get out of','a sale of','short'];
const buys = ['buy','buying','purchase','acquire','get into','invest in','grab','pick up','a purchase of','long'];
const seps = [', ',' and ','; ','. ',' then ',' ','\n',', and ',' or ',' / ',' + ',' & ','? ',' - ',' 👉 '];
const frames = [(a: string) => `${a}, fair?`,(a: string) => `is ${a} fair?`,(a: string) => `should I ${a}?`,(a: string) => `Verdict on ${a}`];
const t: Record<string,[number,number]> = {};
const hit = (k: string, ok: boolean) => { t[k] ??= [0,0]; t[k]![1]++; if (ok) t[k]![0]++; };
for (const s of sells) for (const b of buys) for (const sep of seps) for (const [fi,f] of frames.entries()) {
  const p = f(`${s} btc${sep}${b} eth`);
  const i = readIntent(p, assets); const ok = 'calls' in i;
  hit('s '+s, ok); hit('b '+b, ok); hit('sep '+JSON.stringify(sep), ok); hit('f '+fi, ok);
}
for (const [k,v] of Object.entries(t)) console.log(k, v.join('/'));
