/** LB3: the names of a value in the order in which LoopBack answers them: declared ones first, as they are declared. */
export const declaredFirst = (value: object, declared: ReadonlyMap<string, unknown>): readonly string[] => [
  ...[...declared.keys()].filter((name) => Object.hasOwn(value, name)),
  ...Object.keys(value).filter((name) => !declared.has(name))
]
