const prefix = 'prototype.'

/** True for the name of a method of records, such as `prototype.patchAttributes`. */
export const isOfRecords = (name: string): boolean => name.startsWith(prefix)

/** The name of a method as its function is called: `patchAttributes` of `prototype.patchAttributes`. */
export const shortName = (name: string): string => (isOfRecords(name) ? name.slice(prefix.length) : name)

/** The name of a method of records as access rules and `sharedMethods` write it. */
export const nameOfRecords = (short: string): string => `${prefix}${short}`

/** The parts of an operation that determine its names. */
export interface NamedMethod {
  readonly name: string
  readonly aliases: readonly string[]
  readonly onInstance: boolean
}

/** The names that an operation is known by, its own first, as access rules write them. */
export function namesOf({ name, aliases, onInstance }: NamedMethod): string[] {
  return [name, ...aliases.map((alias) => (onInstance ? nameOfRecords(alias) : alias))]
}

/** The path of a method below that of its model: records have theirs below their id. */
export const endpointPath = (onInstance: boolean, path: string): string =>
  `${onInstance ? '/:id' : ''}${path.startsWith('/') ? path : `/${path}`}`
