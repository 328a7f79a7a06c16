// Part of `npm run build`: prints how far each deployed contract is below the maximum size (EIP-170). Fails if one is
// above it, or if the artifact that tests and scripts deploy is not the optimized one: forge compiles the contracts
// again without the optimizer for some tests (foundry.toml) and names both artifacts by what it finds.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAX_BYTES = 24_576;
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { content } = JSON.parse(readFileSync(join(root, 'script/compiled/deployment.json'), 'utf8'));
const deployed = Object.keys(content).map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);

const out = join(root, 'out');
for (const name of [...deployed, 'Deploy', 'MarketLens', 'BareMorphoMarket']) {
  const file = name === 'Deploy' ? 'Deploy.s.sol' : `${name}.sol`;
  const { metadata, deployedBytecode } = JSON.parse(readFileSync(join(out, file, `${name}.json`), 'utf8'));
  if (!metadata.settings.optimizer.enabled) {
    console.error(`out/${file}/${name}.json is compiled without the optimizer: delete out/ and cache/ and build again`);
    process.exitCode = 1;
  }
  if (!deployed.includes(name)) continue;
  const bytes = (deployedBytecode.object.length - 2) / 2;
  const margin = MAX_BYTES - bytes;
  if (margin < 0) process.exitCode = 1;
  console.log(`${String(bytes).padStart(6)} bytes, ${String(margin).padStart(6)} below the maximum  ${name}`);
}
