import { inspect } from 'node:util';

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
