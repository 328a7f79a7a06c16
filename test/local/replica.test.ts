import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('what starts the replica loads nothing of what builds it', () => {
  const code = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => (console.log(url), next(url, context)) });
    await import('./lab/world/replica.ts');`;
  const loaded = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect(loaded).toContain('/lab/world/replica.ts');
  for (const builder of ['replica-state', 'venus', 'pancake']) expect(loaded).not.toContain(`/lab/world/${builder}.ts`);
});
