import { en } from './en.ts';

/** Every text by its key. */
type Texts<Given> = {
  readonly [Key in keyof Given]: Given[Key] extends string
    ? string
    : Given[Key] extends (...args: never[]) => unknown
      ? Given[Key]
      : Texts<Given[Key]>;
};

/** The texts of the page's language. */
export const words: Texts<typeof en> = en;
