import { createPublicClient, http } from 'viem';
import { build } from './bytecode/build.ts';
import { recordAt } from './bytecode/record.ts';
import { verify } from './bytecode/verify.ts';
import { hostOf } from './host.ts';
import { onlyOptions } from './local/options.ts';

// `npm run verify:bytecode`: compares the contracts on a chain with the build of this checkout. Node and record are those of the
// agent's settings, unless `--rpc URL` and `--deployment script/deployments/56.json` name others. Exits 1 and lists the contracts
// that differ.

/** Only the chain has these values; there is nothing to compare them with. */
const chosen = ['operator', 'rotator', 'maker'];

try {
  const host = hostOf();
  const { rpc, deployment } = onlyOptions('npm run verify:bytecode', { rpc: '', deployment: host.record });
  const transport = http(rpc || host.rpcUrls()[0]);
  const findings = await verify(createPublicClient({ transport }), recordAt(deployment), await build());
  for (const { contract, address, problems, values } of findings) {
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${contract.padEnd(22)} ${address}`);
    for (const problem of problems) console.log(`         ${contract}: ${problem}`);
    for (const [name, value] of Object.entries(values)) {
      console.log(
        `         ${name.padEnd(22)} ${value}${chosen.includes(name) ? '  chosen by the deployer: check it yourself' : ''}`,
      );
    }
  }
  const failed = findings.filter(({ problems }) => problems.length > 0).map(({ contract }) => contract);
  if (failed.length > 0) throw new Error(`Does not match this checkout: ${failed.join(', ')}`);
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`);
  process.exitCode = 1;
}
