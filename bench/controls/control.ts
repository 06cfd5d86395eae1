/** A security control, and the test that fails without it. */
export interface Control {
  /** The source file with the control. */
  file: string;
  /** Code that occurs in the file exactly once. */
  from: string;
  /** The same code without the control; it still compiles. */
  to: string;
  test: string;
  /** The title of the test that must fail without the control, or the constant part of a title made from a template. */
  title: string;
}

export type Controls = Readonly<Record<string, Control>>;
