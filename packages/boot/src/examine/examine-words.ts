import { closestName, definitionWords, isPlainObject } from '@modelwire/core/plugin'
import type { ModelFile } from '../models/find-model-files.ts'
import type { Finding } from './finding.ts'

/** Keys of one object of a model file that are misspelt. Other keys are settings of the application. */
function misspelt(
  value: unknown,
  kind: keyof typeof definitionWords,
  file: string,
  place: readonly string[]
): Finding[] {
  const words = definitionWords[kind]
  const unknown = isPlainObject(value) ? Object.keys(value).filter((key) => !words.includes(key)) : []
  return unknown.flatMap((key): Finding[] => {
    const suggestion = closestName(key, words)
    if (suggestion === undefined) return []
    const reason = `the key "${key}" means nothing: it is ignored`
    return [
      { effect: 'fails', file, key: [...place, key].join('.'), reason, advice: `write "${suggestion}", or remove it` }
    ]
  })
}

const entriesOf = (value: unknown): [string, unknown][] => (isPlainObject(value) ? Object.entries(value) : [])

/** Misspelt keys of a model file, its properties and its relations, which nothing else reports. */
export function examineWords({ file, definition }: ModelFile): Finding[] {
  const { properties, relations } = definition
  return [
    ...misspelt(definition, 'model', file, []),
    ...entriesOf(properties).flatMap(([name, part]) => misspelt(part, 'property', file, ['properties', name])),
    ...entriesOf(relations).flatMap(([name, part]) => misspelt(part, 'relation', file, ['relations', name]))
  ]
}
