import { mkdirSync, writeFileSync } from 'node:fs';
import { exitCodes, type Options } from './commands.ts';
import { filled } from './descriptors/fill.ts';
import { placeOf } from './home.ts';
import { recordAt } from './record.ts';

/**
 * `npx bowline descriptors --deployment script/deployments/56.json --out FOLDER`: writes the ERC-7730 descriptors of a deployment, for
 * wallets and their registry.
 */
export async function descriptors({
  deployment = 'script/deployments/31337.json',
  out = 'clear-signing/deployed',
}: Options<'descriptors'>) {
  const folder = placeOf(`${out}/`);
  mkdirSync(folder, { recursive: true });
  for (const [name, descriptor] of Object.entries(filled(recordAt(deployment)))) {
    writeFileSync(new URL(name, folder), `${JSON.stringify(descriptor, null, 2)}\n`);
    process.stdout.write(`${out}/${name}\n`);
  }
  return exitCodes.done;
}
