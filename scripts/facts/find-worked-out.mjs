// Facts that stand in one place: what an operation does, and what keys a relation has. Code that works them out again from names is right
// until a method is added or a key is chosen, and then access rules hold on one path and not on another.

/** @typedef {{ line: number, text: string, message: string }} Finding */

// `find`, `count`, `create` and `upsert` are names of other things, too: verbs of effects, methods of connectors.
const names =
  'findOne|findById|exists|patchOrCreate|updateOrCreate|replaceOrCreate|upsertWithWhere|replaceById|updateAll|deleteById|destroyById|' +
  'removeById|destroyAll|deleteAll|findOrCreate|patchAttributes|updateAttributes|replaceAttributes|updateById|createChangeStream'
const relationMethods = 'get|create|update|destroy|delete|findById|destroyById|updateById|link|unlink|exists|count'

const where = {
  effect: 'read `operation.effect` (verb, subject, condition, idIn); `predefinedMethods` of core defines it',
  relation:
    'read `operation.effect.relation` and `effect.method`; `shortName` and `nameOfRecords` of core know the prefix of names',
  key: 'read `keyFrom`, `keyTo` and `through` of `model.relations`'
}

const kinds = [
  {
    message: `a list of names of operations: ${where.effect}`,
    pattern: /\[[^[\]]*\]/g,
    isOne: (text) => new Set(text.match(new RegExp(`'(?:prototype\\.)?(?:${names})'`, 'g'))).size > 1
  },
  {
    message: `an operation is told by its name: ${where.effect}`,
    pattern: new RegExp(
      `\\b(?:name|method|methodString|operation)\\)? *[!=]== *'(?:find|count|create|${names})'|case '(?:${names})'`,
      'g'
    )
  },
  {
    message: `the name of an operation is taken apart or put together: ${where.relation}`,
    pattern: new RegExp(
      `__(?:${relationMethods})__|[\`'/]__\\$?\\{|(?:startsWith|split|indexOf|includes)\\('__'|['\`]prototype\\.(?:'|\\$\\{)|prototype\\\\\\.|` +
        `\\b(?:shortName|methodString)\\([^()]*\\)\\.(?:startsWith|endsWith|includes|match|replace|split|slice)`,
      'g'
    )
  },
  {
    message: `a foreign key is worked out from a name: ${where.key}`,
    pattern: /\}Id`|\+ *['"`]Id\b|\(['"]Id['"]\)|Id\$\//g
  }
]

/** The code of a file with blanks in place of its comments, so that lines keep their numbers. */
export const withoutComments = (code) =>
  code.replace(/\/\*[^]*?\*\/|(?<=^|[\s;{},(])\/\/[^\n]*/g, (comment) => comment.replace(/[^\n]/g, ' '))

/**
 * Finds places in TypeScript that work facts out from names which stand elsewhere.
 * @param {string} code
 * @returns {Finding[]} in the order of their lines
 */
export function findWorkedOut(code) {
  const plain = withoutComments(code)
  const findings = kinds.flatMap(({ message, pattern, isOne = () => true }) =>
    Array.from(plain.matchAll(pattern))
      .filter(([text]) => isOne(text))
      .map(({ 0: text, index }) => ({ line: plain.slice(0, index).split('\n').length, text, message }))
  )
  return findings.toSorted((a, b) => a.line - b.line)
}
