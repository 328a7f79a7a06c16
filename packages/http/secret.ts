import { inspect } from 'node:util';

/** A text that no log, error or debugger shows by accident: there it reads "[secret]". */
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

/** Every secret text in a configuration, however deep it lies. */
export function secretsOf(config: unknown): string[] {
  if (config instanceof Secret) return [config.reveal()];
  return typeof config === 'object' && config !== null ? Object.values(config).flatMap(secretsOf) : [];
}
