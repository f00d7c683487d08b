import { type EffectVerb, type Operation, shortName } from '@modelwire/core/plugin'

const ofRecords: Readonly<Record<Exclude<EffectVerb, 'call'>, string>> = {
  find: 'Answers one record, or 404 where there is none. The filter names the properties and related records to send.',
  count: 'Answers whether there is such a record.',
  aggregate: 'Answers sums and groups of the record.',
  create: 'Stores a new record and answers it as it is stored.',
  patch: 'Changes the properties that are sent, and leaves the others as they are. Answers the whole record.',
  replace: 'Puts the data in the place of the record: what is left out gets its default, or is removed.',
  upsert: 'Changes the record that the data names, or creates it where there is none.',
  delete: 'Deletes the record.',
  link: 'Joins two existing records.',
  unlink: 'Ends that two records are joined; both stay.',
  stream: 'Sends changes as they happen, as server-sent events, until the caller ends it.'
}

const ofSets: Readonly<Partial<Record<EffectVerb, string>>> = {
  find: 'Answers the records that match the filter, in its order; without a filter the first ones that there are.',
  count: 'Answers how many records match the condition; without one, how many there are.',
  aggregate: 'Answers sums, averages and counts of the records that match, by groups of them.',
  patch: 'Changes all records that match the condition. Answers how many there were.',
  upsert: 'Changes the record that matches the condition, or creates one.',
  delete: 'Deletes all records that match the condition. Answers how many there were.'
}

const findFirst = 'Answers the first record that matches the filter, in its order, or 404 where there is none.'

/** True where the one that matches is answered, not a list of them. */
const answersFirst = ({ effect, returns }: Operation): boolean =>
  effect.verb === 'find' && effect.subject === 'set' && !returns.some(({ type }) => type.kind === 'array')

/** What an operation does, in a sentence or two: its notes, else by its effect. */
export function describeEffect(operation: Operation): string {
  const { notes, effect, name, model } = operation
  if (notes !== undefined) return notes
  // No other sentence is true of methods that an application adds: rules and hooks know them by this name.
  if (effect.verb === 'call') return `Calls ${model.name}.${name}.`
  if (answersFirst(operation)) return findFirst
  const own = effect.subject === 'set' ? ofSets[effect.verb] : undefined
  return own ?? ofRecords[effect.verb]
}

/** The summary of an operation: its description, else its name as words, such as "Send reminder". */
export function summaryOf({ description, name }: Operation): string {
  if (description !== undefined) return description
  const words = shortName(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
