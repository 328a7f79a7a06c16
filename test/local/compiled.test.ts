import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { type Compilation, compiledOf, isCurrent } from '../../lab/world/compiled.ts';
import { escrow } from '../../lab/world/escrow.ts';
import { identity } from '../../lab/world/identity.ts';
import { poolDeployer } from '../../lab/world/pancake.ts';

// test/local/deploy.test.ts compares the committed build of script/Deploy.s.sol with what the script deploys.

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(root, '.cache', 'compiled-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what is committed is what the compiler makes of the sources', async () => {
  const all: Compilation<unknown>[] = [poolDeployer, identity, escrow];
  const built = await Promise.all(all.map((each) => each.build()));
  for (const [at, each] of all.entries()) {
    expect(isCurrent(each), each.name).toBe(true);
    const file = new URL(`../../script/compiled/${each.name}.json`, import.meta.url);
    expect(built[at], each.name).toEqual(JSON.parse(readFileSync(file, 'utf8')).content);
  }
});

test('of other sources it is compiled anew, once', async () => {
  const changed = join(folder, 'Proxy.sol');
  writeFileSync(changed, `${readFileSync(join(root, 'contracts/PlanRegistry.sol'), 'utf8')}\n`);
  let builds = 0;
  const build = async () => ({ bytecode: `0x0${++builds}` });
  const other = { name: 'other', sources: [relative(root, changed)], build };
  expect(isCurrent(other)).toBe(false);
  expect(await compiledOf(other)).toEqual({ bytecode: '0x01' });
  expect(await compiledOf(other)).toEqual({ bytecode: '0x01' });
});
