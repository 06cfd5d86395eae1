/** Something that stands between an attacker and what they want, and the test that fails without it. */
export interface Control {
  /** The source that holds it. */
  file: string;
  /** Stands in the file once. */
  from: string;
  /** The same without the control; it still compiles. */
  to: string;
  /** The test file. */
  test: string;
  /** The title of the test in it that must fail then, or the part of it that no template fills in. */
  title: string;
}

export type Controls = Readonly<Record<string, Control>>;
