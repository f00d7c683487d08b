/** A member of whatever a script passes; undefined where it has none. */
export function memberOf(value: unknown, name: string): unknown {
  const object = Object(value) as object // objects are made of anything
  return Reflect.get(object, name)
}
