// The default of an option stands in its schema, from which documentation is made. Code that says it again where it reads the option
// goes on with the old one when the schema gets another.

/** @typedef {{ line: number, text: string, option: string }} Restated */

const literal = String.raw`(?:'[^'\n]*'|[0-9][0-9_.]*(?: *\*\*? *[0-9_]+)*|true|false|\[\])(?![\w.])`

/** Ways to say what holds where an option is absent; the first group is its name. */
const patterns = [
  // `{ kept = 1000 }`, of a parameter or a declaration
  String.raw`(?<=[{,]\s*(?:\w+: *)?)(\w+) = ${literal}(?=\s*[,}])`,
  // `options.kept ?? 1000`, `settings['kept'] || 1000`, and `kept ?? 1000` where it was taken out of them before
  String.raw`(?<![\w$])(\w+)(?:'\])? (?:\?\?|\|\|) ${literal}`,
  // `options.log !== false` instead of `options.log`
  String.raw`(?<=\.)(\w+) !== (?:true|false)\b`
]

const withoutComments = (code) =>
  code.replace(/\/\*[^]*?\*\/|(?<=^|[\s;{},(])\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '))

/**
 * Finds places in TypeScript that say what an absent option stands for.
 * @param {string} code
 * @param {ReadonlyMap<string, readonly unknown[]>} defaults those of options, by their names
 * @returns {Restated[]}
 */
export function findRestatedDefaults(code, defaults) {
  const plain = withoutComments(code)
  return patterns
    .flatMap((pattern) => Array.from(plain.matchAll(new RegExp(pattern, 'g'))))
    .filter(
      ([text, option]) => defaults.has(option) && (!text.includes('!==') || isOtherFlag(text, defaults.get(option)))
    )
    .map(({ 0: text, 1: option, index }) => ({ line: plain.slice(0, index).split('\n').length, text, option }))
    .toSorted((a, b) => a.line - b.line)
}

/** `!== false` says that absent is true. */
const isOtherFlag = (text, values) =>
  values.some((value) => value === text.endsWith('false') && typeof value === 'boolean')

/**
 * The defaults in a schema and the schemas within it, by the names of the options.
 * @param {object} schema
 * @param {Map<string, unknown[]>} [defaults] what to add them to
 */
export function defaultsIn(schema, defaults = new Map()) {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if ('default' in property) defaults.set(name, [...(defaults.get(name) ?? []), property.default])
    defaultsIn(property, defaults)
  }
  for (const member of schema.anyOf ?? []) defaultsIn(member, defaults)
  return defaults
}
