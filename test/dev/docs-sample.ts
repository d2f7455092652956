// A component in the eyes of the generator of reference pages; nothing uses it.

/** A list of `a | b` <c>. */
export interface Nested {
  /** Plain | text, <b>. */
  text: string;
  count?: number | undefined;
  /** @effect its own */
  choice?: "b" | "a" | undefined;
}

/**
 * Says it for its fields.
 * @effect its declaration's
 */
export interface Telling {
  /** Silent. */
  silent?: boolean | undefined;
  /** Mixed. */
  nested: Nested;
}

/** Holds itself. */
export interface Endless {
  /** More of it. */
  more?: Endless | undefined;
}

export interface SampleSpec {
  /**
   * By name.
   * @default two words
   * @effect its field's
   */
  named?: Record<string, Nested> | undefined;
  /** Several. */
  many?: readonly Nested[] | undefined;
  /** Tells. */
  telling?: Telling | undefined;
  /**
   * A number.
   * @default 5
   * @effect its own
   */
  share?: number | undefined;
  /**
   * Never spelled out.
   * @effect its own
   */
  endless?: Endless[] | undefined;
}

export interface SampleArgs extends SampleSpec {
  /**
   * What only a program gives.
   * @effect its own
   */
  extra: string;
}

export class Sample {
  /** What comes out. */
  readonly result: string;
  readonly bare: number;

  constructor(name: string, args: SampleArgs) {
    this.result = `${name} ${args.extra}`;
    this.bare = args.share ?? 0;
  }
}
