const arrayIndex = /^(?:0|[1-9]\d*)$/

/**
 * The value at `path` in `row`; undefined if there is none. A step into an array that is neither an index nor `length`
 * applies to every item, and the results are flattened; into an empty array it finds nothing.
 *
 * Only own properties are read, so `__proto__`, `constructor` and `toString` are absent unless the data has them.
 * @see recordings filter/nested and filter/order
 */
export function readPath(row: unknown, path: readonly string[]): unknown {
  return readFrom(row, path, 0)
}

/** Whether `step` reads an array itself rather than each of its items. */
function isArrayStep(step: string): boolean {
  return step === 'length' || arrayIndex.test(step)
}

/** The own property `name` of an object, or of a string its length or a character; undefined if there is none. */
export function readOwn(value: unknown, name: string): unknown {
  if (typeof value === 'string') return readOwn(Object(value), name)
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  // The line above checks that the object has it.
  return (value as Record<string, unknown>)[name]
}

function readFrom(start: unknown, path: readonly string[], from: number): unknown {
  let value = start
  for (let at = from; at < path.length; at++) {
    const step = path[at] ?? ''
    if (Array.isArray(value) && !isArrayStep(step))
      return value.length === 0 ? undefined : value.flatMap((item: unknown) => readFrom(item, path, at))
    value = readOwn(value, step)
    // LB3: null leads to null, which `order` distinguishes from an absent value; pinned by filter/order
    if (value === undefined || value === null) return value
  }
  return value
}
