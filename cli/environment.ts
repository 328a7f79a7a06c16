import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from '@bowline/http/environment';

/** The shell's environment, plus `.env` in the working directory, as the agent itself would read them. */
export function shellEnvironment(): Environment {
  return { ...fileEnvironment(), ...process.env };
}

function fileEnvironment(): Environment {
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new Error('.env cannot be read.', { cause: error });
  }
}
