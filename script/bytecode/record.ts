import { existsSync, readFileSync } from 'node:fs';
import type { Deployment } from './wiring.ts';

const root = new URL('../../', import.meta.url);

/**
 * The deployment record at a path from the project's folder.
 * @throws a sentence, if there is none or it is not JSON.
 */
export function recordAt(path: string): Deployment {
  const file = new URL(path, root);
  if (!existsSync(file)) throw new Error(`No deployment record at ${path}. Name one with --deployment.`);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${path} is not JSON.`, { cause });
  }
}
