/** What statements begin with, and the verb that each is counted under. */
const verbs: ReadonlyMap<string, string> = new Map([
  ...[
    'select',
    'insert',
    'update',
    'delete',
    'replace',
    'merge',
    'call',
    'begin',
    'commit',
    'rollback',
    'create',
    'alter',
    'drop',
    'set'
  ].map((verb) => [verb, verb] as const),
  // The connectors read by them alone.
  ['with', 'select'],
  ['start', 'begin']
])

/** The verb of a statement: one of a fixed list, so that no text of an application becomes another one; `other` for the rest. */
export function verbOf(sql: string): string {
  const word = /^\s*([a-z]+)/i.exec(sql)?.[1]
  return (word && verbs.get(word.toLowerCase())) ?? 'other'
}
