/** Freezes plain data with all that it holds: what is remembered for one request must not be changed by another. */
export function freezeDeep<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const member of Object.values(value)) freezeDeep(member)
  return value
}
