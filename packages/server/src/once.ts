/**
 * Makes a value on first use.
 * @returns a function that gives the value, always the same one
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
