import { describeOperation, type Operation, type ResolvedRelation } from '@modelwire/core/plugin'
import { nameOfRecords } from '@modelwire/core/connector'
import type { ExposedMethod } from '../kinds/relation-kind.ts'
import { grantOf } from './relation-rights.ts'

type Effect = Operation['effect']

/** The effect of a relation's method on the related records, and LoopBack's terms for it. */
interface MethodFacts {
  readonly effect: (many: boolean) => Effect
  readonly summary: (relation: ResolvedRelation) => string
}

const byId = (verb: Effect['verb']) => (): Effect => ({ verb, subject: 'record', idIn: 'path' })
const ofOne = (verb: Effect['verb']) => (): Effect => ({ verb, subject: 'record' })

/** LB3: a relation to one record is called belongsTo where the declaring one has the key, and hasOne otherwise. */
function getSummary({ name, holdsKey, many, from }: ResolvedRelation): string {
  if (holdsKey === 'one') return `Fetches belongsTo relation ${name}.`
  return many ? `Queries ${name} of ${from.name}.` : `Fetches hasOne relation ${name}.`
}

const facts: Readonly<Record<ExposedMethod, MethodFacts>> = {
  get: {
    effect: (many) =>
      many ? { verb: 'find', subject: 'set', condition: 'filter' } : { verb: 'find', subject: 'record' },
    summary: getSummary
  },
  create: { effect: ofOne('create'), summary: ({ name }) => `Creates a new instance in ${name} of this model.` },
  update: { effect: ofOne('patch'), summary: ({ name }) => `Update ${name} of this model.` },
  destroy: { effect: ofOne('delete'), summary: ({ name }) => `Deletes ${name} of this model.` },
  delete: {
    effect: () => ({ verb: 'delete', subject: 'set' }),
    summary: ({ name }) => `Deletes all ${name} of this model.`
  },
  count: {
    effect: () => ({ verb: 'count', subject: 'set', condition: 'where' }),
    summary: ({ name, from }) => `Counts ${name} of ${from.name}.`
  },
  findById: { effect: byId('find'), summary: ({ name }) => `Find a related item by id for ${name}.` },
  updateById: { effect: byId('patch'), summary: ({ name }) => `Update a related item by id for ${name}.` },
  destroyById: { effect: byId('delete'), summary: ({ name }) => `Delete a related item by id for ${name}.` },
  link: { effect: byId('link'), summary: ({ name }) => `Add a related item by id for ${name}.` },
  unlink: { effect: byId('unlink'), summary: ({ name }) => `Remove the ${name} relation to an item by id.` },
  exists: {
    effect: byId('count'),
    summary: ({ name }) => `Check the existence of ${name} relation to an item by id.`
  }
}

function textOf(relation: ResolvedRelation, method: ExposedMethod): NonNullable<Operation['loopbackText']> {
  const words = { fk: `Foreign key for ${relation.name}`, where: 'Criteria to match model instances' }
  return { summary: facts[method].summary(relation), arguments: words }
}

/** The name of a method in access rules: `prototype.__get__books`. */
export const relatedName = (method: string, ...path: readonly ResolvedRelation[]): string =>
  nameOfRecords(`__${[method, ...path.map(({ name }) => name)].join('__')}`)

/** Describes one operation of a relation: its name, effect and LoopBack's terms are derived from the method. */
export function describeRelated(
  relation: ResolvedRelation,
  method: ExposedMethod,
  own: Omit<Parameters<typeof describeOperation>[1], 'name' | 'effect' | 'loopbackText'>
): Operation {
  const effect = { ...facts[method].effect(relation.many), relation, method }
  const operation = describeOperation(relation.from, {
    ...own,
    name: relatedName(method, relation),
    effect,
    loopbackText: textOf(relation, method)
  })
  return { ...operation, findGrant: (context) => grantOf(relation, effect, context) }
}
