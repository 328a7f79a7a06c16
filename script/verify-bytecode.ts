import { createPublicClient, http } from 'viem';
import { build } from './bytecode/build.ts';
import { recordAt } from './bytecode/record.ts';
import { verify } from './bytecode/verify.ts';
import { onlyOptions } from './local/options.ts';

// `npm run verify:bytecode -- --rpc URL --deployment script/deployments/56.json`: compares the contracts on a chain
// with the build of this checkout. Exits 1 and lists the contracts that differ.

const defaults = { rpc: 'http://127.0.0.1:8545', deployment: 'script/deployments/31337.json' };
/** Only the chain has these values; there is nothing to compare them with. */
const chosen = ['operator', 'rotator', 'maker'];

try {
  const { rpc, deployment } = onlyOptions('npm run verify:bytecode', defaults);
  const findings = await verify(createPublicClient({ transport: http(rpc) }), recordAt(deployment), await build());
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
