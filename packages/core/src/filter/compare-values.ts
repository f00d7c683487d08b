/**
 * Below 0, 0 or above 0 when `a` is less than, equal to or greater than `b`, as JavaScript compares; NaN when they are
 * not comparable. Dates are compared by time, binary data byte by byte, other objects not at all. Null is not expected.
 */
export function compareLoosely(a: unknown, b: unknown): number {
  if (a instanceof Date || b instanceof Date) return readTime(a) - readTime(b)
  if (typeof a === 'object' || typeof b === 'object') return compareBinary(a, b)
  // Both are primitive now; `<` and `>` turn numeric text and booleans into numbers by themselves.
  const [left, right] = [a as number, b as number]
  if (left < right) return -1
  if (left > right) return 1
  return isLooselyEqual(a, b) ? 0 : NaN
}

/**
 * Whether `a` equals `b` by JavaScript's `==`, except that null equals absent and nothing else, dates are equal by
 * time, binary data by content, and other objects only to themselves.
 */
export function isLooselyEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a === null || a === undefined || b === null || b === undefined) return (a ?? b ?? null) === null
  if (a instanceof Date || b instanceof Date) return readTime(a) === readTime(b)
  if (typeof a === 'object' || typeof b === 'object') return compareObjects(a, b)
  // LB3: undeclared properties find "1" by 1; see recording filter/open.
  // oxlint-disable-next-line eqeqeq
  return a == b
}

function compareBinary(a: unknown, b: unknown): number {
  return a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) : NaN
}

/** Ids of other databases are instances of a class with a text form; plain objects are only equal to themselves. */
function compareObjects(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array) return compareBinary(a, b) === 0
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [kind, other] = [classOf(a), classOf(b)]
  return kind !== undefined && kind === other && String(a) === String(b)
}

function classOf(value: object): unknown {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null ? undefined : prototype
}

const isoDate = /^[+-]?\d{4,6}-\d\d/

function readTime(value: unknown): number {
  if (value instanceof Date) return value.getTime()
  // JavaScript reads a date into nearly every number: "1" would be in 2001.
  if (typeof value === 'string') return isoDate.test(value) ? Date.parse(value) : NaN
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : NaN
}
