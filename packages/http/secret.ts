import { inspect } from 'node:util';
import { Refusal } from '@bowline/core/domain/refusal';

/** A text that logs, errors and debuggers never show by accident: they show "[secret]". */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}

/** All secrets of a configuration, at any depth. */
export function secretsOf(config: unknown): string[] {
  if (config instanceof Secret) return [config.reveal()];
  return typeof config === 'object' && config !== null ? Object.values(config).flatMap(secretsOf) : [];
}

/**
 * What a program prints when its start fails. Before its secrets are known, it is the whole message, because malformed
 * settings have a line each. After that it is only the first line (our own errors have no more), and never a secret.
 */
export function complaintOf(error: Error, secrets: readonly string[]): string {
  const message = error instanceof Refusal ? `${error.reason}: ${error.message}` : error.message;
  if (secrets.length === 0) return message;
  const [line = ''] = message.split('\n');
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), line);
}
