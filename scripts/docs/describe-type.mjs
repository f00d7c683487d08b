/**
 * What a value of a TypeBox schema is, in words. A `title` says it where JSON Schema has no word for it.
 * @param {object} schema
 * @returns {string}
 */
export function describeType(schema) {
  if (schema.title !== undefined) return schema.title
  if (schema.const !== undefined) return code(schema.const)
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeType))].join(' or ')
  return kinds[schema.type]?.(schema) ?? 'any'
}

/** A value as it is written in code, safe inside of a table. */
export function code(value) {
  const text = typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
  return `\`${text.replaceAll('|', '\\|')}\``
}

const kinds = {
  boolean: () => 'boolean',
  null: () => 'null',
  string: () => 'string',
  integer: (schema) => withBounds('integer', schema),
  number: (schema) => withBounds('number', schema),
  array: ({ items }) => `list of ${describeType(items ?? {})}`,
  object: (schema) => {
    const values = describeType(valuesOf(schema) ?? {})
    return values === 'any' ? 'object' : `object of ${values} by name`
  },
  Function: () => 'function'
}

function withBounds(word, { minimum, exclusiveMinimum, maximum }) {
  if (exclusiveMinimum !== undefined) return `${word} above ${exclusiveMinimum}`
  if (minimum === undefined) return word
  return maximum === undefined ? `${word} from ${minimum}` : `${word} from ${minimum} to ${maximum}`
}

/** The schema of the values of a record. */
function valuesOf({ patternProperties }) {
  return patternProperties === undefined ? undefined : Object.values(patternProperties)[0]
}
