import { mkdirSync, writeFileSync } from 'node:fs';
import { filled } from './descriptors/fill.ts';
import { onlyOptions } from './options.ts';
import { recordAt } from './record.ts';

// `npx bowline descriptors --deployment script/deployments/56.json --out FOLDER`: writes the ERC-7730 descriptors of a
// deployment, for wallets and their registry.

const root = new URL('../', import.meta.url);
const defaults = { deployment: 'script/deployments/31337.json', out: 'clear-signing/deployed' };

try {
  const { deployment, out } = onlyOptions('npx bowline descriptors', defaults);
  const folder = new URL(`${out}/`, root);
  mkdirSync(folder, { recursive: true });
  for (const [name, descriptor] of Object.entries(filled(recordAt(deployment)))) {
    writeFileSync(new URL(name, folder), `${JSON.stringify(descriptor, null, 2)}\n`);
    console.log(`${out}/${name}`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 1;
}
