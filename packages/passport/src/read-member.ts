/** A member of any value; undefined where it has none. */
export function readMember(owner: unknown, name: string): unknown {
  return owner === undefined || owner === null ? undefined : (Reflect.get(Object(owner) as object, name) as unknown) // anything else has members
}
